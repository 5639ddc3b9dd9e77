import { MigrationInterface, QueryRunner } from 'typeorm';

/** The number of deliveries by hour, for the usage of a tenant. Deliveries that are still stored are counted. */
export class DeliveryHours1763000143200 implements MigrationInterface {
  name = 'DeliveryHours1763000143200';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE delivery_hours (
        tenant_id text COLLATE "C" NOT NULL,
        hour timestamptz(3) NOT NULL,
        deliveries bigint NOT NULL,
        PRIMARY KEY (tenant_id, hour)
      ) WITH (fillfactor = 50)`);
    await queryRunner.query(`SET LOCAL statement_timeout = 0`);
    await queryRunner.query(`
      INSERT INTO delivery_hours (tenant_id, hour, deliveries)
      SELECT tenant_id, date_trunc('hour', finished_at, 'UTC') AS hour, count(*) FROM deliveries
      WHERE status IN ('succeeded', 'failed') AND finished_at IS NOT NULL GROUP BY tenant_id, hour`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE delivery_hours`);
  }
}
