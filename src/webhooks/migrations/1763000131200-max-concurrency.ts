import { MigrationInterface, QueryRunner } from 'typeorm';

/** A limit of the requests at once to a webhook, over all workers. */
export class MaxConcurrency1763000131200 implements MigrationInterface {
  name = 'MaxConcurrency1763000131200';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE webhooks ADD COLUMN max_concurrency integer`);
    await queryRunner.query(`ALTER TABLE deliveries ADD COLUMN limited boolean`);
    // Empty at first. The column of other deliveries stays null, so that their claims stay within their page (HOT updates).
    await queryRunner.query(`CREATE INDEX deliveries_limited ON deliveries (tenant_id, webhook_id) WHERE limited`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE deliveries DROP COLUMN limited`);
    await queryRunner.query(`ALTER TABLE webhooks DROP COLUMN max_concurrency`);
  }
}
