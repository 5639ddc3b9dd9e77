import { MigrationInterface, QueryRunner } from 'typeorm';

/** The ETag of content types, and the log of what their changes did to the values of entries. */
export class SchemaRevisions1763000110000 implements MigrationInterface {
  name = 'SchemaRevisions1763000110000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE content_types ADD COLUMN revision integer NOT NULL DEFAULT 1`);
    await queryRunner.query(`
      CREATE TABLE content_type_moves (
        tenant_id text COLLATE "C" NOT NULL,
        content_type_id uuid NOT NULL,
        version integer NOT NULL,
        moves json NOT NULL,
        at timestamptz(3) NOT NULL,
        PRIMARY KEY (tenant_id, content_type_id, version)
      )`);
    await queryRunner.query(`ALTER TABLE versions ADD COLUMN form integer`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE versions DROP COLUMN form`);
    await queryRunner.query(`DROP TABLE content_type_moves`);
    await queryRunner.query(`ALTER TABLE content_types DROP COLUMN revision`);
  }
}
