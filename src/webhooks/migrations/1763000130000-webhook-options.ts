import { MigrationInterface, QueryRunner } from 'typeorm';

/** Descriptions, own headers, filters and thin payloads of webhooks. */
export class WebhookOptions1763000130000 implements MigrationInterface {
  name = 'WebhookOptions1763000130000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE webhooks
        ADD COLUMN description text,
        ADD COLUMN header_names text[],
        ADD COLUMN headers text,
        ADD COLUMN filters json,
        ADD COLUMN payload text COLLATE "C"`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE webhooks
        DROP COLUMN description,
        DROP COLUMN header_names,
        DROP COLUMN headers,
        DROP COLUMN filters,
        DROP COLUMN payload`);
  }
}
