import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Events, the change feed that is ordered by the positions that the relay assigns, the versions of resources to which events refer, and
 * the subscribers with their positions.
 */
export class Events1763000004000 implements MigrationInterface {
  name = 'Events1763000004000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE events (
        tenant_id text COLLATE "C" NOT NULL,
        id uuid NOT NULL,
        type text COLLATE "C" NOT NULL,
        data json,
        occurred_at timestamptz(3) NOT NULL,
        resource_id uuid,
        version integer,
        PRIMARY KEY (tenant_id, id)
      )`);

    // A later change of the same resource inserts its row after the earlier one has committed, and so has a greater number.
    await queryRunner.query(`
      CREATE TABLE pending_events (
        tenant_id text COLLATE "C" NOT NULL,
        event_id uuid NOT NULL,
        number bigserial,
        PRIMARY KEY (tenant_id, number)
      )`);

    await queryRunner.query(`
      CREATE TABLE event_positions (
        tenant_id text COLLATE "C" NOT NULL,
        position bigint NOT NULL,
        event_id uuid NOT NULL,
        type text COLLATE "C" NOT NULL,
        PRIMARY KEY (tenant_id, position)
      )`);

    await queryRunner.query(`
      CREATE TABLE event_counters (
        tenant_id text COLLATE "C" NOT NULL,
        position bigint NOT NULL,
        PRIMARY KEY (tenant_id)
      )
      WITH (fillfactor = 50)`);

    await queryRunner.query(`
      CREATE TABLE event_days (
        tenant_id text COLLATE "C" NOT NULL,
        day date NOT NULL,
        type text COLLATE "C" NOT NULL,
        events bigint NOT NULL,
        PRIMARY KEY (tenant_id, day, type)
      )
      WITH (fillfactor = 50)`);

    // A version of up to half a page stays in its row as it is, instead of being compressed or moved.
    await queryRunner.query(`
      CREATE TABLE versions (
        tenant_id text COLLATE "C" NOT NULL,
        resource_id uuid NOT NULL,
        number integer NOT NULL,
        summary text NOT NULL,
        data text NOT NULL,
        at timestamptz(3) NOT NULL,
        event_id uuid,
        form integer,
        PRIMARY KEY (tenant_id, resource_id, number)
      )
      WITH (toast_tuple_target = 4080)`);

    await queryRunner.query(`
      CREATE TABLE subscribers (
        name text COLLATE "C" NOT NULL,
        id uuid NOT NULL,
        starts_from text COLLATE "C" NOT NULL,
        created_at timestamptz(3) NOT NULL,
        registered_at timestamptz(3),
        seen_at timestamptz(3),
        PRIMARY KEY (name)
      )`);

    // A position changes with every batch, and no index contains it (a HOT update, for which half of each page is left free).
    await queryRunner.query(`
      CREATE TABLE subscriber_positions (
        tenant_id text COLLATE "C" NOT NULL,
        subscriber_id uuid NOT NULL,
        position bigint NOT NULL,
        PRIMARY KEY (tenant_id, subscriber_id)
      )
      WITH (fillfactor = 50)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of [
      'subscriber_positions',
      'subscribers',
      'versions',
      'event_days',
      'event_counters',
      'event_positions',
      'pending_events',
      'events',
    ]) {
      await queryRunner.query(`DROP TABLE ${table}`);
    }
  }
}
