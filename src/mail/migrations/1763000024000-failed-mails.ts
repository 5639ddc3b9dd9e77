import { MigrationInterface, QueryRunner } from 'typeorm';

/** The emails that were given up, for the administration page. They are few, so the index is small; creating it reads the table once. */
export class FailedMails1763000024000 implements MigrationInterface {
  name = 'FailedMails1763000024000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE INDEX mails_failed ON mails (tenant_id, finished_at) WHERE status = 'failed'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX mails_failed`);
  }
}
