import { createHash } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { type Http, startApp, type TestApp, type TestTenant } from '../support/app.js';
import { BackupWriter, uuidOf, type Written } from '../support/backup-writer.js';
import { backUpCommand, contentsOf, embeddedPlace, ownPlace, type Place, restoreCommand } from '../support/backups.js';
import { expectConsistentContent } from '../support/consistency.js';
import type { TestDatabase } from '../support/database.js';
import { describeOnPlain } from '../support/it-on-plain.js';
import { RECEIVER_ENV, type Received, type Receiver, startReceiver } from '../support/receiver.js';
import { build } from '../support/service.js';
import { until } from '../support/until.js';

const TENANTS = ['ten_a', 'ten_b'];
const ENV = {
  ...RECEIVER_ENV,
  TENANTS: JSON.stringify(TENANTS.map((id) => ({ id, name: id, api_keys: [{ key: `key-of-${id}` }] }))),
};

/** When a backup ran, by the writers' clock (milliseconds since 1970). */
interface Period {
  begun: number;
  ended: number;
}

type PlaceOf = (dataDir: string, options?: { empty: boolean }) => Promise<Place>;
const embedded: PlaceOf = (dataDir) => Promise.resolve(embeddedPlace(dataDir));
const own: PlaceOf = (dataDir, options) => ownPlace(dataDir, options);

jest.setTimeout(240_000);

// A database that is distributed cannot be backed up (citus.e2e-spec.ts).
describeOnPlain('a backup that runs while clients write', () => {
  let receiver: Receiver;
  let directory: string;
  beforeAll(build);
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.close());
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'trivet-backup-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  it.each([
    ['an embedded PostgreSQL', 'another embedded PostgreSQL', embedded, embedded],
    ['an embedded PostgreSQL', 'a separate server', embedded, own],
    ['a separate server', 'an embedded PostgreSQL', own, embedded],
  ])('of %s restores completely into %s, where the service continues', async (_from, _to, placeFrom, placeTo) => {
    const file = join(directory, 'backup.tar');
    const source = await placeFrom(join(directory, 'source'));
    const written = await writeAndBackUp(source, file);
    const first = await contentsOf(file);
    expect(first.manifest.media.missing).toBe(0);

    const target = await placeTo(join(directory, 'target'), { empty: true });
    expect(await restoreCommand([file], target.env)).toMatchObject({ code: 0, stderr: '' });
    const again = join(directory, 'again.tar');
    expect(await backUpCommand([again], target.env)).toMatchObject({ code: 0, stderr: '' });
    const second = await contentsOf(again);
    expect(second.tables).toEqual(first.tables);
    expect(second.manifest).toMatchObject({ migrations: first.manifest.migrations, tables: first.manifest.tables });

    const database = await target.open();
    await passTransactions(database, written.transactions);
    for (const writer of written.writers) await expectFits(writer, written.period, database);
    await expectEveryFile(database, written.writers, join(directory, 'target', 'media'));
    for (const id of TENANTS) await expectTrueTotals(database, id);
    await expectToGoOn(database, written.writers, written.cursors);
    await target.close();
  });

  /** Runs a service with writers on the place, and backs it up while they write. */
  async function writeAndBackUp(place: Place, file: string) {
    const database = await place.open();
    const app = await startApp({ ...ENV, DATA_DIR: place.env['DATA_DIR']! }, { database });
    for (const id of TENANTS) {
      const webhook = { url: receiver.url(`/${id}`), events: ['entry.created'], secret: secretOf(id) };
      await tenantOf(app, id).http.post(`/v1/webhooks/${id}`, webhook).expect(201);
    }
    const writers = await Promise.all(TENANTS.map((id) => BackupWriter.create(app, tenantOf(app, id))));
    const all = (step: (writer: BackupWriter) => Promise<void>) => Promise.all(writers.map(step));
    for (let count = 0; count < 12; count++) await all((writer) => writer.once());
    const writing = all((writer) => writer.run());
    const cursors = [];
    for (const { tenant } of writers) cursors.push((await feed(tenant.http, tenant.id)).cursor);
    const begun = Date.now();
    expect(await backUpCommand([file], place.env)).toMatchObject({ code: 0, stderr: '' });
    const period: Period = { begun, ended: Date.now() };
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    for (const writer of writers) writer.stop();
    await writing;
    await all((writer) => writer.once());
    const transactions = await transactionsOf(database);
    await app.close();
    await place.close();
    return { writers, period, cursors, transactions };
  }

  /** Starts a service on the restored data, and uses it. */
  async function expectToGoOn(
    database: TestDatabase,
    writers: readonly BackupWriter[],
    cursors: string[],
  ): Promise<void> {
    const app = await startApp({ ...ENV, DATA_DIR: join(directory, 'target') }, { database });
    for (const [index, { tenant, type }] of writers.entries()) {
      const { id } = tenant;
      const { http } = tenantOf(app, id);
      const entries = await idsIn(database, 'entries', id);
      const search = `${type.entries}?search=${encodeURIComponent(`"of ${id}"`)}`;
      expect((await http.get(search).expect(200)).body.meta.total).toBe(entries.size);
      const [media] = (await http.get(`/v1/media/${id}?per_page=1`).expect(200)).body.data;
      const file = await http.get(new URL(media.url).pathname).expect(200);
      expect(file.headers['content-length']).toBe(String(media.size));

      await until(async () => (await idsIn(database, 'pending_events', id, 'event_id')).size === 0);
      const events = await idsIn(database, 'events', id);
      const all = await feed(http, id);
      expect(new Set(all.ids)).toEqual(events);
      // A consumer continues with the cursor from the old service.
      const rest = await feed(http, id, cursors[index]);
      expect(rest.ids).toEqual(all.ids.slice(-rest.ids.length));

      const { body } = await http.post(type.entries, { fields: { title: 'After the restore' } }).expect(201);
      const isOfIt = (received: Received) => received.body.data['id'] === body.data.id;
      const delivery = await until(() => Promise.resolve(receiver.received(`/${id}`).find(isOfIt)));
      new Webhook(secretOf(id)).verify(delivery.text, delivery.headers as Record<string, string>);
      const later = await until(async () => {
        const found = await feed(http, id, all.cursor);
        return found.ids.length > 0 && found;
      });
      expect(later.ids).toEqual([delivery.body.id].map((event) => uuidOf('evt', event)));
    }
    await app.close();
  }
});

function secretOf(tenantId: string): string {
  return `whsec_${Buffer.from(`the webhook of ${tenantId} signs with this`).toString('base64')}`;
}

function tenantOf(app: TestApp, id: string): TestTenant {
  const key = `key-of-${id}`;
  return { id, key, http: app.client(`Bearer ${key}`) };
}

/** Checks that all writes acknowledged before the backup are in it, and no write that began after it. The same holds for deletions. */
async function expectFits(
  { tenant, entries, files, submissions }: BackupWriter,
  period: Period,
  database: TestDatabase,
) {
  const kinds = [
    { table: 'entries', prefix: 'ent', written: entries },
    { table: 'media', prefix: 'med', written: files },
    { table: 'submissions', prefix: 'sub', written: submissions },
  ] as const;
  for (const { table, prefix, written } of kinds) {
    const found = await idsIn(database, table, tenant.id);
    const wrong = (written as readonly Written[]).filter((one) => {
      const must = one.acknowledged < period.begun && !(one.deletionBegun && one.deletionBegun <= period.ended);
      const mustNot = one.begun > period.ended || (one.deletionAcknowledged ?? Infinity) < period.begun;
      const isFound = found.has(uuidOf(prefix, one.id));
      return isFound ? mustNot : must;
    });
    expect({ table, wrong }).toEqual({ table, wrong: [] });
    expect(found.size).toBeGreaterThan(5);
  }
  const titles = new Map(entries.map(({ id, title }) => [uuidOf('ent', id), title]));
  const rows = await database.query<{ id: string; title: string }>(
    `SELECT id, fields->>'title' AS title FROM entries WHERE tenant_id = $1`,
    [tenant.id],
  );
  for (const { id, title } of rows) expect(title).toBe(titles.get(id));
}

/** Checks that every media row has its file with the right bytes, and that there are no other files. */
async function expectEveryFile(database: TestDatabase, writers: readonly BackupWriter[], folder: string) {
  const rows = await database.query<{ id: string }>('SELECT id FROM media');
  const files = new Map(writers.flatMap((writer) => writer.files.map((file) => [uuidOf('med', file.id), file])));
  for (const { id } of rows) {
    const { key, sha256 } = files.get(id)!;
    const bytes = await readFile(join(folder, key));
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
    expect((await stat(join(folder, key))).mode & 0o777).toBe(0o600);
  }
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('original'));
  expect(names).toHaveLength(rows.length);
}

async function expectTrueTotals(database: TestDatabase, tenantId: string): Promise<void> {
  await expectConsistentContent(database, tenantId);
  const [totals] = await database.query<Record<string, number>>(
    `SELECT (SELECT count(*)::int FROM submissions WHERE tenant_id = $1) AS submissions,
      (SELECT sum(submissions)::int FROM submission_counts WHERE tenant_id = $1) AS counted_submissions,
      (SELECT count(*)::int FROM media WHERE tenant_id = $1) AS media,
      (SELECT sum(files)::int FROM media_counts WHERE tenant_id = $1) AS counted_media`,
    [tenantId],
  );
  expect(totals!['counted_submissions']).toBe(totals!['submissions']);
  expect(totals!['counted_media']).toBe(totals!['media']);
}

async function idsIn(database: TestDatabase, table: string, tenantId: string, column = 'id'): Promise<Set<string>> {
  const rows = await database.query<{ id: string }>(`SELECT ${column} AS id FROM ${table} WHERE tenant_id = $1`, [
    tenantId,
  ]);
  return new Set(rows.map(({ id }) => id));
}

/** The IDs of the events after a cursor, and the cursor of the last page. */
async function feed(http: Http, tenantId: string, after = ''): Promise<{ ids: string[]; cursor: string }> {
  const ids: string[] = [];
  for (let cursor = after; ;) {
    const query = `per_page=100&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await http.get(`/v1/events/${tenantId}?${query}`).expect(200);
    ids.push(...body.data.map((event: { id: string }) => uuidOf('evt', event.id)));
    cursor = body.meta.next_cursor;
    if (body.data.length === 0) return { ids, cursor };
  }
}

async function transactionsOf(database: TestDatabase): Promise<number> {
  const [row] = await database.query<{ count: number }>('SELECT pg_current_xact_id()::text::bigint::int AS count');
  return row!.count;
}

/** Raises the server's transaction ID above `count`. A leftover: the feed is ordered by position now, not by transaction ID. */
async function passTransactions(database: TestDatabase, count: number): Promise<void> {
  const missing = count + 1_000 - (await transactionsOf(database));
  await database.query(
    `DO $$ BEGIN FOR i IN 1..${Math.max(missing, 0)} LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$`,
  );
}
