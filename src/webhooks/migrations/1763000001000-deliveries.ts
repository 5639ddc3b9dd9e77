import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Deliveries of events to webhooks, and the results of their attempts.
 *
 * There is no foreign key to webhooks or events. Deleting a webhook therefore costs one row, and the retention removes its deliveries. A claim changes no indexed column, so that it stays within its page (a HOT update).
 */
export class Deliveries1763000001000 implements MigrationInterface {
  name = 'Deliveries1763000001000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE webhooks
        ADD COLUMN previous_secret text,
        ADD COLUMN previous_secret_until timestamptz(3),
        ADD COLUMN disabled_reason text COLLATE "C",
        ADD COLUMN failing_since timestamptz(3),
        ADD COLUMN last_failed_at timestamptz(3)`);

    await queryRunner.query(`
      CREATE TABLE deliveries (
        tenant_id text COLLATE "C" NOT NULL,
        id uuid NOT NULL,
        webhook_id uuid NOT NULL,
        event_id uuid NOT NULL,
        event_type text COLLATE "C" NOT NULL,
        status text COLLATE "C" NOT NULL,
        attempts integer NOT NULL,
        next_attempt_at timestamptz(3),
        claimed_until timestamptz(3),
        created_at timestamptz(3) NOT NULL,
        finished_at timestamptz(3),
        PRIMARY KEY (tenant_id, id),
        CONSTRAINT deliveries_event UNIQUE (tenant_id, webhook_id, event_id)
      ) WITH (fillfactor = 75, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.1)`);
    await queryRunner.query(`
      CREATE INDEX deliveries_due ON deliveries (tenant_id, webhook_id, next_attempt_at) WHERE status = 'pending'`);
    await queryRunner.query(`
      CREATE INDEX deliveries_undelivered ON deliveries (tenant_id, webhook_id, event_id)
      WHERE status IN ('failed', 'canceled')`);

    await queryRunner.query(`
      CREATE TABLE delivery_attempts (
        tenant_id text COLLATE "C" NOT NULL,
        delivery_id uuid NOT NULL,
        id uuid NOT NULL,
        attempted_at timestamptz(3) NOT NULL,
        duration_ms integer NOT NULL,
        status integer,
        error text,
        response text NOT NULL,
        PRIMARY KEY (tenant_id, delivery_id, id)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE delivery_attempts`);
    await queryRunner.query(`DROP TABLE deliveries`);
    await queryRunner.query(`
      ALTER TABLE webhooks
        DROP COLUMN previous_secret,
        DROP COLUMN previous_secret_until,
        DROP COLUMN disabled_reason,
        DROP COLUMN failing_since,
        DROP COLUMN last_failed_at`);
  }
}
