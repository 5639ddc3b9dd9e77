import { MigrationInterface, QueryRunner } from 'typeorm';

const SHARDED_COUNTERS = ['entry_counts', 'submission_counts', 'media_counts'];

/** Gives tables and columns the names that the field uses. No row is rewritten. */
export class PlainNames1763000020000 implements MigrationInterface {
  name = 'PlainNames1763000020000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE entry_values RENAME COLUMN mark TO discriminator`);
    for (const table of SHARDED_COUNTERS) await queryRunner.query(`ALTER TABLE ${table} RENAME COLUMN slot TO shard`);
    await queryRunner.query(`ALTER TABLE media_strays RENAME TO orphaned_files`);
    await queryRunner.query(`ALTER INDEX media_strays_pkey RENAME TO orphaned_files_pkey`);
    await queryRunner.query(`ALTER INDEX media_strays_since RENAME TO orphaned_files_since`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER INDEX orphaned_files_since RENAME TO media_strays_since`);
    await queryRunner.query(`ALTER INDEX orphaned_files_pkey RENAME TO media_strays_pkey`);
    await queryRunner.query(`ALTER TABLE orphaned_files RENAME TO media_strays`);
    for (const table of SHARDED_COUNTERS) await queryRunner.query(`ALTER TABLE ${table} RENAME COLUMN shard TO slot`);
    await queryRunner.query(`ALTER TABLE entry_values RENAME COLUMN discriminator TO mark`);
  }
}
