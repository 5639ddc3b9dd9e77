import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Webhooks, the deliveries of events to them, the results of attempts, and replays. Deliveries have no foreign key to webhooks or events:
 * deleting a webhook costs one row, and the retention removes its deliveries. A claim changes no indexed column, so that it stays within its
 * page (a HOT update).
 */
export class Webhooks1763000005000 implements MigrationInterface {
  name = 'Webhooks1763000005000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE webhooks (
        tenant_id text COLLATE "C" NOT NULL REFERENCES tenants (id),
        id uuid NOT NULL,
        url text NOT NULL,
        events text[] COLLATE "C" NOT NULL,
        secret text,
        active boolean NOT NULL,
        created_at timestamptz(3) NOT NULL,
        disabled_reason text COLLATE "C",
        failing_since timestamptz(3),
        last_failed_at timestamptz(3),
        description text,
        header_names text[],
        headers text,
        filters json,
        payload text COLLATE "C",
        signing_key text,
        public_key text COLLATE "C",
        max_concurrency integer,
        ordered boolean,
        failing_notified_at timestamptz(3),
        notices integer NOT NULL DEFAULT 0,
        previous_secrets json,
        PRIMARY KEY (tenant_id, id)
      )`);

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
        replay_of uuid,
        limited boolean,
        resource text COLLATE "C",
        turn bigint,
        PRIMARY KEY (tenant_id, id),
        CONSTRAINT deliveries_event UNIQUE (tenant_id, webhook_id, event_id)
      )
      WITH (fillfactor = 75, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.1)`);
    await queryRunner.query(
      `CREATE INDEX deliveries_due ON deliveries (tenant_id, webhook_id, next_attempt_at) WHERE status = 'pending'`,
    );
    await queryRunner.query(
      `CREATE INDEX deliveries_undelivered ON deliveries (tenant_id, webhook_id, event_id) WHERE status = ANY (ARRAY['failed', 'canceled'])`,
    );
    await queryRunner.query(
      `CREATE INDEX deliveries_replayed ON deliveries (tenant_id, webhook_id, replay_of) WHERE status = 'pending' AND replay_of IS NOT NULL`,
    );
    // Null for deliveries to webhooks without a limit, so that their claims stay within their page (HOT updates).
    await queryRunner.query(`CREATE INDEX deliveries_limited ON deliveries (tenant_id, webhook_id) WHERE limited`);
    await queryRunner.query(
      `CREATE INDEX deliveries_turns ON deliveries (tenant_id, webhook_id, resource, turn) WHERE status = 'pending' AND resource IS NOT NULL`,
    );
    // Finds the deliveries of the events of submissions, to erase them.
    await queryRunner.query(
      `CREATE INDEX deliveries_submitted ON deliveries (tenant_id, coalesce(replay_of, event_id)) WHERE event_type = 'form.submitted'`,
    );

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

    await queryRunner.query(`
      CREATE TABLE delivery_hours (
        tenant_id text COLLATE "C" NOT NULL,
        hour timestamptz(3) NOT NULL,
        deliveries bigint NOT NULL,
        PRIMARY KEY (tenant_id, hour)
      )
      WITH (fillfactor = 50)`);

    await queryRunner.query(`
      CREATE TABLE webhook_replays (
        tenant_id text COLLATE "C" NOT NULL,
        id uuid NOT NULL,
        webhook_id uuid NOT NULL,
        types text[] NOT NULL,
        filters json,
        since timestamptz(3) NOT NULL,
        until timestamptz(3) NOT NULL,
        after_id uuid NOT NULL,
        remaining integer NOT NULL,
        PRIMARY KEY (tenant_id, id)
      )
      WITH (fillfactor = 50)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['webhook_replays', 'delivery_hours', 'delivery_attempts', 'deliveries', 'webhooks']) {
      await queryRunner.query(`DROP TABLE ${table}`);
    }
  }
}
