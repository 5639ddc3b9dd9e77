import { MigrationInterface, QueryRunner } from 'typeorm';

/** A number for the state of a type's entries, by which a process tells that a total it counted is still true. */
export class EntryStates1763000050500 implements MigrationInterface {
  name = 'EntryStates1763000050500';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE entry_counts ADD COLUMN state bigint NOT NULL DEFAULT 0`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE entry_counts DROP COLUMN state`);
  }
}
