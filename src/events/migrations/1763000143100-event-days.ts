import { MigrationInterface, QueryRunner } from 'typeorm';

/** The time at which a UUID of version 7 was made. */
const TIME = `to_timestamp(('x' || left(replace(event_id::text, '-', ''), 12))::bit(48)::bigint / 1000.0)`;

/** The number of events by day and type, for charts. Events that are still stored are counted. */
export class EventDays1763000143100 implements MigrationInterface {
  name = 'EventDays1763000143100';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE event_days (
        tenant_id text COLLATE "C" NOT NULL,
        day date NOT NULL,
        type text COLLATE "C" NOT NULL,
        events bigint NOT NULL,
        PRIMARY KEY (tenant_id, day, type)
      ) WITH (fillfactor = 50)`);
    await queryRunner.query(`SET LOCAL statement_timeout = 0`);
    await queryRunner.query(`
      INSERT INTO event_days (tenant_id, day, type, events)
      SELECT tenant_id, (${TIME} AT TIME ZONE 'UTC')::date AS day, type, count(*) FROM event_positions GROUP BY tenant_id, day, type`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE event_days`);
  }
}
