import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts the deliveries that failed apart. Those of earlier hours count as delivered. */
export class FailedDeliveries1763000013000 implements MigrationInterface {
  name = 'FailedDeliveries1763000013000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE delivery_hours ADD COLUMN failed bigint NOT NULL DEFAULT 0');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE delivery_hours DROP COLUMN failed');
  }
}
