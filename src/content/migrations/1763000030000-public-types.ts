import { MigrationInterface, QueryRunner } from 'typeorm';

/** Content types whose published entries are read without an API key. */
export class PublicTypes1763000030000 implements MigrationInterface {
  name = 'PublicTypes1763000030000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE content_types ADD COLUMN public boolean`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE content_types DROP COLUMN public`);
  }
}
