import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The change feed is ordered by positions that the relay assigns. Before, it was ordered by transaction ids, which mean nothing on another
 * server.
 *
 * Writes wait until every stored event has its position (about 10 s for a million events): an event that was relayed meanwhile would get none.
 */
export class EventPositions1763000012000 implements MigrationInterface {
  name = 'EventPositions1763000012000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`SET LOCAL statement_timeout = 0`);
    // Both at once and first: locks that are taken step by step could deadlock with a writer's.
    await queryRunner.query(`LOCK TABLE events, pending_events IN ACCESS EXCLUSIVE MODE`);

    await queryRunner.query(`
      CREATE TABLE event_counters (
        tenant_id text COLLATE "C" NOT NULL,
        position bigint NOT NULL,
        PRIMARY KEY (tenant_id)
      ) WITH (fillfactor = 50)`);
    await queryRunner.query(`
      CREATE TABLE event_positions (
        tenant_id text COLLATE "C" NOT NULL,
        position bigint NOT NULL,
        event_id uuid NOT NULL,
        type text COLLATE "C" NOT NULL,
        PRIMARY KEY (tenant_id, position)
      )`);

    // Test events are sent to one webhook and were never in the feed.
    await queryRunner.query(`
      INSERT INTO event_positions (tenant_id, position, event_id, type)
      SELECT e.tenant_id, row_number() OVER (PARTITION BY e.tenant_id ORDER BY e.committed_in, e.id), e.id, e.type
      FROM events e LEFT JOIN pending_events p ON p.tenant_id = e.tenant_id AND p.event_id = e.id
      WHERE p.event_id IS NULL AND e.type <> 'webhook.test'`);
    await queryRunner.query(`
      INSERT INTO event_counters (tenant_id, position)
      SELECT tenant_id, max(position) FROM event_positions GROUP BY tenant_id`);

    // A later change of the same resource inserts its row after the earlier one has committed, and so has a greater number.
    await queryRunner.query(`ALTER TABLE pending_events ADD COLUMN number bigserial`);
    await queryRunner.query(`
      UPDATE pending_events p SET number = o.number FROM (
        SELECT q.tenant_id, q.event_id, row_number() OVER (ORDER BY e.committed_in, q.event_id) AS number
        FROM pending_events q LEFT JOIN events e ON e.tenant_id = q.tenant_id AND e.id = q.event_id
      ) AS o WHERE p.tenant_id = o.tenant_id AND p.event_id = o.event_id`);
    await queryRunner.query(`
      ALTER TABLE pending_events DROP CONSTRAINT pending_events_pkey, ADD PRIMARY KEY (tenant_id, number)`);

    // Its index goes with it.
    await queryRunner.query(`ALTER TABLE events DROP COLUMN committed_in`);
  }

  /** All events get the id of this transaction: the old feed then shows them in the order of their ids. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`SET LOCAL statement_timeout = 0`);
    await queryRunner.query(`LOCK TABLE events, pending_events IN ACCESS EXCLUSIVE MODE`);
    await queryRunner.query(`
      ALTER TABLE events ADD COLUMN committed_in xid8 NOT NULL DEFAULT pg_current_xact_id()`);
    await queryRunner.query(`CREATE INDEX events_feed ON events (tenant_id, committed_in, id)`);
    await queryRunner.query(`
      ALTER TABLE pending_events DROP CONSTRAINT pending_events_pkey, DROP COLUMN number, ADD PRIMARY KEY (tenant_id, event_id)`);
    await queryRunner.query(`DROP TABLE event_positions`);
    await queryRunner.query(`DROP TABLE event_counters`);
  }
}
