import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What people need who edit content in the console: where a site shows drafts, and who else has an entry open. */
export class Editors1763000012000 implements MigrationInterface {
  name = 'Editors1763000012000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE content_types ADD COLUMN preview_url text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE content_types DROP COLUMN preview_url');
  }
}
