import { MigrationInterface, QueryRunner } from 'typeorm';

/** Until when a change of a content type has caught up with the writes beside it. */
export class CaughtUpSince1763000154000 implements MigrationInterface {
  name = 'CaughtUpSince1763000154000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE schema_changes ADD COLUMN since timestamptz(3)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE schema_changes DROP COLUMN since');
  }
}
