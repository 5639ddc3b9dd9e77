import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Several emails for a submission. The first one still has the submission's ID as its key. Only the others are in the new index, which is
 * therefore empty for existing rows; creating it reads the table once.
 */
export class SeveralMails1763000124500 implements MigrationInterface {
  name = 'SeveralMails1763000124500';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE mails ADD COLUMN about_id uuid, ADD COLUMN subject text, ADD COLUMN field text`);
    await queryRunner.query(`
      CREATE INDEX mails_about ON mails (tenant_id, about_id) WHERE about_id IS NOT NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    // The release before sends one email for a submission, to a stored address.
    await queryRunner.query(`DELETE FROM mails WHERE about_id IS NOT NULL OR field IS NOT NULL`);
    await queryRunner.query(`DROP INDEX mails_about`);
    await queryRunner.query(`ALTER TABLE mails DROP COLUMN about_id, DROP COLUMN subject, DROP COLUMN field`);
  }
}
