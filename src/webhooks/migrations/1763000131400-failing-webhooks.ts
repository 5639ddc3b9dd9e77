import { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether the tenant was told that a webhook is failing. */
export class FailingWebhooks1763000131400 implements MigrationInterface {
  name = 'FailingWebhooks1763000131400';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE webhooks ADD COLUMN told_failing_at timestamptz(3)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE webhooks DROP COLUMN told_failing_at`);
  }
}
