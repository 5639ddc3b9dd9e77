import { AuditRetention } from '../../src/audit/audit-retention.js';
import { EventRetention } from '../../src/events/event-retention.js';
import { firstUuidOf } from '../../src/ids/type-id.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { describeOnPlain } from '../support/it-on-plain.js';
import { until } from '../support/until.js';

const DAY_MS = 86_400_000;
const OLD = firstUuidOf(new Date(Date.now() - 11 * DAY_MS));

// Triggers on a distributed table are not supported.
describeOnPlain('periodic work, while the statements of one tenant fail', () => {
  let app: TestApp;
  let others: TestTenant[];
  let failing: TestTenant;
  beforeAll(async () => {
    app = await startApp({ AUDIT_RETENTION: '10d', EVENT_RETENTION: '10d' });
    const [first, second, third] = [app.tenant(), app.tenant(), app.tenant()];
    // In whatever order the tenants are taken, one of the others comes after it.
    [others, failing] = [[first, third], second];
    await app.database.query(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$`,
    );
  });
  afterAll(() => app.close());

  const all = () => [...others, failing];
  /** Until the returned function is called, the tenant's rows of the table cannot be changed in this way. */
  async function refuse(table: string, change: 'INSERT' | 'DELETE'): Promise<() => Promise<unknown>> {
    const row = change === 'INSERT' ? 'NEW' : 'OLD';
    await app.database.query(
      `CREATE TRIGGER refuse BEFORE ${change} ON ${table} FOR EACH ROW WHEN (${row}.tenant_id = '${failing.id}') EXECUTE FUNCTION refuse()`,
    );
    return () => app.database.query(`DROP TRIGGER refuse ON ${table}`);
  }
  const tenantsWithOld = async (table: string) => {
    const text = `SELECT DISTINCT tenant_id AS id FROM ${table} WHERE id <= $1`;
    return (await app.database.query<{ id: string }>(text, [OLD])).map(({ id }) => id);
  };

  it('deletes the old audit records of the others, and those of the tenant later', async () => {
    for (const { id } of all()) {
      await app.database.query(
        `INSERT INTO audit_records (tenant_id, id, actor_id, actor_name, action, resource_type, resource_id, request_id)
          VALUES ($1, $2, 'key', 'key', 'created', 'entry', 'ent', 'r')`,
        [id, OLD],
      );
    }
    const allow = await refuse('audit_records', 'DELETE');
    await app.get(AuditRetention).prune();
    expect(await tenantsWithOld('audit_records')).toEqual([failing.id]);
    await allow();
    await app.get(AuditRetention).prune();
    expect(await tenantsWithOld('audit_records')).toEqual([]);
  });

  it('deletes the old events and days of the others, and those of the tenant later', async () => {
    for (const { id } of all()) {
      await app.database.query(
        `WITH event AS (
            INSERT INTO events (tenant_id, id, type, data, occurred_at) VALUES ($1, $2, 'entry.created', '{}', now())
          ), day AS (
            INSERT INTO event_days (tenant_id, day, type, events) VALUES ($1, '2020-01-01', 'entry.created', 1)
          )
          INSERT INTO event_positions (tenant_id, position, event_id, type) VALUES ($1, 1, $2, 'entry.created')`,
        [id, OLD],
      );
    }
    const days = () => app.database.query('SELECT tenant_id AS id FROM event_days');
    const allow = await refuse('events', 'DELETE');
    await app.get(EventRetention).prune();
    expect([await tenantsWithOld('events'), await days()]).toEqual([[failing.id], [{ id: failing.id }]]);
    await allow();
    await app.get(EventRetention).prune();
    expect([await tenantsWithOld('events'), await days()]).toEqual([[], []]);
  });

  it('stores when the keys of the others were used, and that of the tenant later', async () => {
    const used = async () => {
      const rows = await app.database.query<{ id: string }>('SELECT DISTINCT tenant_id AS id FROM key_uses');
      return rows.map(({ id }) => id).sort();
    };
    const allow = await refuse('key_uses', 'INSERT');
    for (const { http, id } of [failing, ...others]) await http.get(`/v1/content/${id}/types`).expect(200);
    await until(async () => (await used()).length === 2, 20_000);
    expect(await used()).not.toContain(failing.id);
    await allow();
    await until(async () => (await used()).length === 3, 20_000);
  }, 60_000);
});
