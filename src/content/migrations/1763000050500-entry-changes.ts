import { MigrationInterface, QueryRunner } from 'typeorm';

/** The number of writes of a type's entries, by which a process tells that a total it counted is still true. */
export class EntryChanges1763000050500 implements MigrationInterface {
  name = 'EntryChanges1763000050500';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE entry_counts ADD COLUMN changes bigint NOT NULL DEFAULT 0`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE entry_counts DROP COLUMN changes`);
  }
}
