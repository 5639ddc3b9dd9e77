import { MigrationInterface, QueryRunner } from 'typeorm';

/** Webhooks whose events of one resource are delivered one after the other. */
export class OrderedDeliveries1763000131300 implements MigrationInterface {
  name = 'OrderedDeliveries1763000131300';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE webhooks ADD COLUMN ordered boolean`);
    await queryRunner.query(`ALTER TABLE deliveries ADD COLUMN resource text COLLATE "C", ADD COLUMN turn bigint`);
    // Empty at first, so this takes no longer than reading the table once.
    await queryRunner.query(`
      CREATE INDEX deliveries_turns ON deliveries (tenant_id, webhook_id, resource, turn)
      WHERE status = 'pending' AND resource IS NOT NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    // What waits for its turn would never be sent.
    await queryRunner.query(`
      UPDATE deliveries SET next_attempt_at = now()
      WHERE status = 'pending' AND resource IS NOT NULL AND next_attempt_at IS NULL`);
    await queryRunner.query(`ALTER TABLE deliveries DROP COLUMN resource, DROP COLUMN turn`);
    await queryRunner.query(`ALTER TABLE webhooks DROP COLUMN ordered`);
  }
}
