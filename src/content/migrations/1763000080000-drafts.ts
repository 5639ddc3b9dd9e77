import { MigrationInterface, QueryRunner } from 'typeorm';

/** Drafts beside the live values of entries. */
export class Drafts1763000080000 implements MigrationInterface {
  name = 'Drafts1763000080000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE entry_drafts (
        tenant_id text COLLATE "C" NOT NULL,
        content_type_id uuid NOT NULL,
        entry_id uuid NOT NULL,
        number integer NOT NULL,
        links integer NOT NULL,
        fields json,
        bases json,
        size integer,
        base_version integer,
        created_at timestamptz(3),
        updated_at timestamptz(3),
        PRIMARY KEY (tenant_id, content_type_id, entry_id)
      )`);
    await queryRunner.query(
      `CREATE INDEX entry_drafts_changed ON entry_drafts (tenant_id, updated_at, entry_id) WHERE fields IS NOT NULL`,
    );
    // The primary key also has the rows without a draft.
    await queryRunner.query(
      `CREATE INDEX entry_drafts_of_type ON entry_drafts (tenant_id, content_type_id, entry_id) WHERE fields IS NOT NULL`,
    );
    await queryRunner.query(`ALTER TABLE entries ADD COLUMN drafted boolean`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE entries DROP COLUMN drafted`);
    await queryRunner.query(`DROP TABLE entry_drafts`);
  }
}
