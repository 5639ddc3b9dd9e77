import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a version has that its data does not show. */
export class StoredVersions1763000017100 implements MigrationInterface {
  name = 'StoredVersions1763000017100';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE versions ADD COLUMN stored text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE versions DROP COLUMN stored');
  }
}
