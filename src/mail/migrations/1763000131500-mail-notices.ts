import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createWorkTable } from '../../database/work-table.js';

/** Emails to tenants about their webhooks. */
export class MailNotices1763000131500 implements MigrationInterface {
  name = 'MailNotices1763000131500';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of createWorkTable('mail_notices')) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE mail_notices`);
  }
}
