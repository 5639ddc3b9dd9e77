import { runAtOnce } from '../../src/admission/sliced-work.js';
import { documentOf } from '../../src/content/entries/writes/stored-form.js';
import type { FieldDefinition } from '../../src/fields/field-definition.js';
import { Schema } from '../../src/fields/schema.js';
import { parseId } from '../../src/ids/type-id.js';
import { tsvectorArray } from '../../src/search/tsvector.js';
import { partitionOf } from '../../src/search/words.js';
import { startApp, type Http, type TestApp, type TestTenant } from '../support/app.js';
import { createType, type TestType } from '../support/content.js';

const FIELDS: FieldDefinition[] = [
  { name: 'title', type: 'text' },
  { name: 'kind', type: 'select', options: ['a', 'b'] },
];

/** More entries than totals that are counted each time, and than lists collect. */
const MANY = 5_200;

interface Entry {
  id: string;
  title: string;
  kind: string;
  status: 'draft' | 'published';
}

/** Lists whose totals are counted, and what they match. */
const LISTS: [query: string, matches: (entry: Entry) => boolean][] = [
  ['search=tide', ({ title }) => title.includes('tide')],
  ['search=tide&page=20', ({ title }) => title.includes('tide')],
  ['search=tide&sort=title', ({ title }) => title.includes('tide')],
  ['search=tide&filter[status]=draft', ({ title, status }) => title.includes('tide') && status === 'draft'],
  ['search=tide -moon', ({ title }) => title.includes('tide') && !title.includes('moon')],
  ['filter[kind]=a&sort=title', ({ kind }) => kind === 'a'],
  ['filter[kind][ne]=a', ({ kind }) => kind !== 'a'],
];

describe('totals that are known', () => {
  let app: TestApp;
  let other: TestApp;
  let tenant: TestTenant;
  let type: TestType;
  let clients: Http[];
  let entries: Entry[];

  beforeAll(async () => {
    app = await startApp();
    tenant = app.tenant();
    const { id, key, publishedKey } = tenant;
    const keys = [
      { name: 'test', key },
      { name: 'published', key: publishedKey, scopes: ['content:read:published'] },
    ];
    // Another process on the same database.
    other = await startApp(
      { TENANTS: JSON.stringify([{ id, name: 'Same', api_keys: keys }]) },
      { database: app.database },
    );
    clients = [tenant.http, other.client(`Bearer ${key}`)];
  });
  afterAll(async () => {
    await other.close();
    await app.close();
  });

  beforeEach(async () => {
    type = await createType(tenant, FIELDS, 'Tide');
    entries = await addMany();
  });
  afterEach(() => tenant.http.delete(type.path).expect(200));

  /** Writes entries as the service does. All of them have the word `tide`. */
  const addMany = async (): Promise<Entry[]> => {
    const typeId = parseId('ct', type.id) ?? '';
    const schema = Schema.compile(FIELDS, 'content');
    const values = Array.from({ length: MANY }, (_, index) => ({
      title: `tide n${index}`,
      kind: index % 4 ? 'a' : 'b',
    }));
    const documents = values.map((one) => runAtOnce(documentOf({ id: typeId, schema, stem: undefined }, one)));
    const keys = values.flatMap((one, index) => schema.indexRows(one).map((row) => ({ ...row, index: index + 1 })));
    // The IDs of two types differ.
    const idOf = (number: string) =>
      `('01900000-' || right($2::uuid::text, 4) || '-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;
    await app.database.query(
      `WITH entry AS (
        INSERT INTO entries (tenant_id, content_type_id, id, fields, size, status, version, created_at, updated_at)
        SELECT $1, $2, ${idOf('number')}, fields::json, octet_length(fields), 'published', 1, now(), now()
        FROM unnest($3::text[]) WITH ORDINALITY AS m (fields, number)
      ), worded AS (
        INSERT INTO entry_words (tenant_id, content_type_id, entry_id, words)
        SELECT $1, $2, ${idOf('number')}, words FROM unnest($4::tsvector[]) WITH ORDINALITY AS m (words, number)
      ), counted AS (
        INSERT INTO entry_counts (tenant_id, content_type_id, shard, drafts, published) VALUES ($1, $2, 0, 0, ${MANY})
      )
      INSERT INTO entry_values (tenant_id, content_type_id, field, sort_key, discriminator, entry_id)
      SELECT $1, $2, field, key, discriminator, ${idOf('number')}
      FROM unnest($5::text[], $6::text[], $7::text[], $8::int[]) AS m (field, key, discriminator, number)`,
      [
        tenant.id,
        typeId,
        values.map((one) => JSON.stringify(one)),
        tsvectorArray(documents.map(({ vector }) => vector)),
        ...(['field', 'key', 'discriminator', 'index'] as const).map((name) => keys.map((row) => row[name])),
      ],
    );
    await app.database.query('ANALYZE entries, entry_words, entry_values');
    const { body } = await tenant.http.get(`${type.entries}?per_page=100&sort=created_at`).expect(200);
    return (body.data as { id: string }[]).map(({ id }, index) => ({ id, status: 'published', ...values[index]! }));
  };

  const totalOf = async (http: Http, query: string): Promise<number> => {
    const { body } = await http.get(`${type.entries}?per_page=1&${query}`).expect(200);
    return (body as { meta: { total: number } }).meta.total;
  };
  const totals = (http: Http) => Promise.all(LISTS.map(([query]) => totalOf(http, query)));

  it('are not counted again as long as no entry changes', async () => {
    await totals(tenant.http);
    // What no request can do: the total of these words changes without a change of an entry.
    const typeId = parseId('ct', type.id) ?? '';
    await app.database.query(
      'DELETE FROM entry_words WHERE tenant_id = $1 AND content_type_id = $2 AND words @@ $3::tsquery',
      [tenant.id, typeId, `'${partitionOf(typeId)}n7'`],
    );
    expect(await totalOf(tenant.http, 'search=tide')).toBe(MANY);
    expect(await totalOf(tenant.http, 'search=tide&sort=title')).toBe(MANY);
    expect(await totalOf(clients[1]!, 'search=tide')).toBe(MANY - 1);
    await tenant.http.patch(`${type.entries}/${entries[0]!.id}`, { fields: { kind: 'a' } }).expect(200);
    expect(await totalOf(tenant.http, 'search=tide')).toBe(MANY - 1);
    expect(await totalOf(tenant.http, 'search=tide&sort=title')).toBe(MANY - 1);
  });

  it('are exact after every kind of write, through any process', async () => {
    // The first entries change; the others stay as they are.
    const rest = Array.from({ length: MANY - entries.length }, (_, index): Entry => {
      const number = index + entries.length;
      return { id: '', title: `tide n${number}`, kind: number % 4 ? 'a' : 'b', status: 'published' };
    });
    const expectExact = async () => {
      const expected = LISTS.map(([, matches]) => [...entries, ...rest].filter(matches).length);
      for (const http of clients) {
        expect(await totals(http)).toEqual(expected);
        // Once more, when they are known.
        expect(await totals(http)).toEqual(expected);
      }
    };
    const update = async (index: number, http: Http, { status, ...fields }: Partial<Omit<Entry, 'id'>>) => {
      const entry = entries[index]!;
      await http.patch(`${type.entries}/${entry.id}`, { fields, status: status ?? entry.status }).expect(200);
      Object.assign(entry, fields, status && { status });
    };
    await expectExact();
    for (const [index, http] of [...clients, ...clients].entries()) {
      await update(index, http, { title: 'ebb' });
      await expectExact();
      await update(index, http, { title: 'tide moon' });
      await expectExact();
      await update(index, http, { status: 'draft' });
      await expectExact();
      await update(index, http, { kind: index % 2 ? 'a' : 'b' });
      await expectExact();
      const created = { title: 'a tide', kind: 'b' };
      const { body } = await http.post(type.entries, { fields: created }).expect(201);
      entries.push({ id: (body as { data: { id: string } }).data.id, status: 'draft', ...created });
      await expectExact();
      const [deleted] = entries.splice(10, 1);
      await http.delete(`${type.entries}/${deleted!.id}`).expect(200);
      await expectExact();
    }
    // Removed fields are not searched and cannot be filtered by. They return with their values.
    await tenant.http.put(type.path, { fields: FIELDS.slice(1) }).expect(200);
    for (const http of clients) expect(await totalOf(http, 'search=tide')).toBe(0);
    await tenant.http.put(type.path, { fields: FIELDS }).expect(200);
    await expectExact();
  }, 240_000);

  it('of published entries are separate', async () => {
    const [all, published] = [tenant.http, app.client(`Bearer ${tenant.publishedKey}`)];
    for (let draft = 0; draft < 3; draft++) {
      for (let times = 0; times < 2; times++) {
        expect(await totalOf(all, 'search=tide')).toBe(MANY);
        expect(await totalOf(published, 'search=tide')).toBe(MANY - draft);
      }
      await tenant.http.patch(`${type.entries}/${entries[draft]!.id}`, { status: 'draft' }).expect(200);
    }
  });

  it('lie between what was written before and after a list, while many write', async () => {
    const WRITERS = 4;
    const CREATIONS = 30;
    let [begun, done] = [0, 0];
    const write = async (writer: number) => {
      const path = `${type.entries}/${entries[writer]!.id}`;
      for (let count = 0; count < CREATIONS; count++) {
        const http = clients[(writer + count) % 2]!;
        begun++;
        await http.post(type.entries, { fields: { title: 'tide', kind: 'a' } }).expect(201);
        done++;
        // An entry of each writer loses the word and gets it back.
        await http.patch(path, { fields: { title: count % 2 ? 'tide' : 'moon' } }).expect(200);
      }
    };
    let isWriting = true;
    let lists = 0;
    const read = async (http: Http) => {
      while (isWriting) {
        const least = MANY + done - WRITERS;
        const total = await totalOf(http, 'search=tide');
        expect(total).toBeGreaterThanOrEqual(least);
        expect(total).toBeLessThanOrEqual(MANY + begun);
        lists++;
      }
    };
    const reading = Promise.all([...clients, ...clients].map(read));
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer))).finally(() => (isWriting = false));
    await reading;
    expect(lists).toBeGreaterThan(10);
    for (const http of clients) expect(await totalOf(http, 'search=tide')).toBe(MANY + WRITERS * CREATIONS);
  }, 240_000);
});
