import { MigrationInterface, QueryRunner } from 'typeorm';

/** How many events each webhook had about itself. */
export class WebhookNotices1763000132000 implements MigrationInterface {
  name = 'WebhookNotices1763000132000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE webhooks ADD COLUMN notices integer NOT NULL DEFAULT 0`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE webhooks DROP COLUMN notices`);
  }
}
