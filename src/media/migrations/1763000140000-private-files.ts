import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The number and bytes of files that have no URL. */
export class PrivateFiles1763000140000 implements MigrationInterface {
  name = 'PrivateFiles1763000140000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE private_file_counts (
        tenant_id text COLLATE "C" NOT NULL,
        shard smallint NOT NULL,
        files bigint NOT NULL,
        bytes bigint NOT NULL,
        PRIMARY KEY (tenant_id, shard)
      ) WITH (fillfactor = 50)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE private_file_counts`);
    await queryRunner.query(`DELETE FROM due_work WHERE kind = 'file_removal'`);
  }
}
