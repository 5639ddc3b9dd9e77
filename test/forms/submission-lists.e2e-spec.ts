import fc from 'fast-check';
import { canonicalEmail } from '../../src/fields/formats/email.js';
import { textKey } from '../../src/fields/sort-key.js';
import { startApp, type Http, type TestApp, type TestTenant } from '../support/app.js';
import { propertyRuns } from '../support/property-runs.js';

interface Submission {
  id: string;
  fields: Record<string, string>;
  created_at: string;
  verdict: 'ok' | 'spam';
  state: 'new' | 'read' | 'done';
}

const FIELDS = [
  { name: 'name', type: 'text' },
  { name: 'email', type: 'email' },
  { name: 'age', type: 'number' },
  { name: 'topic', type: 'select', options: ['Press', 'press', 'Sales'] },
  { name: 'message', type: 'textarea' },
];

const LONG = 'long '.repeat(80);
const NAMES = ['Ada', 'ada', 'Ádá', 'Bob', 'bob 100%', 'Cafe', 'Café', `${LONG}x`, `${LONG}y`, 'zoë'];
const MESSAGES = ['The quick brown fox', 'quick and slow', 'Press the button', `${LONG}quick`];

const EMAILS = [
  'ada@example.com',
  'bob@example.com',
  'ADA@example.com',
  'ádá@example.com',
  'ada@exämple.com',
  'ada@xn--exmple-cua.com',
  'ada@exa\u0308mple.com',
];

/** The texts that are compared: spellings of an address are equal. */
const comparedOf = (name: string, value: string) => (name === 'email' ? canonicalEmail(value) : value);
/** The values by which a field is sorted. */
const keyOf = (name: string, value: string) =>
  name === 'age' ? String(5_000 + Number(value)) : textKey(comparedOf(name, value)).key;

type Filter = readonly [name: string, operator: string, value: string];

function passes({ fields }: Submission, [name, operator, value]: Filter): boolean {
  const own = fields[name];
  if (operator === 'exists') return (own !== undefined) === (value === 'true');
  const equals = (text: string) =>
    own !== undefined &&
    (name === 'age' ? Number(own) === Number(text) : comparedOf(name, own) === comparedOf(name, text));
  if (operator === 'ne') return !equals(value);
  if (operator === 'in') return value.split(',').some(equals);
  if (operator === 'eq') return equals(value);
  if (own === undefined) return false;
  if (operator === 'contains') return own.toLowerCase().includes(value.toLowerCase());
  if (operator === 'starts_with') return own.toLowerCase().startsWith(value.toLowerCase());
  const [one, other] = [keyOf(name, own), keyOf(name, value)];
  if (operator === 'lt') return one < other;
  if (operator === 'lte') return one <= other;
  return operator === 'gt' ? one > other : one >= other;
}

describe('lists of submissions', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let path: string;
  let all: Submission[];
  let addresses = 0;
  const visitor = (): Http => app.client(undefined, { 'X-Forwarded-For': `10.9.0.${++addresses % 250}` });

  async function newForm(of: TestTenant, fields: object[] = FIELDS) {
    const settings = { rate_limit: 600 };
    const { body } = await of.http.post(`/v1/forms/${of.id}`, { name: 'Contact', fields, settings }).expect(201);
    return { id: body.data.id as string, path: `/v1/forms/${of.id}/${body.data.id}/submissions` };
  }

  /** Marks a submission as spam, as a verdict does. */
  async function markSpam(of: TestTenant, id: string) {
    const { rows } = await queryId(id);
    await app.database.query(`UPDATE submissions SET verdict = 'spam' WHERE tenant_id = $1 AND id = $2`, [of.id, rows]);
    await app.database.query(
      `UPDATE submission_values SET field = '?' || field WHERE tenant_id = $1 AND submission_id = $2`,
      [of.id, rows],
    );
    await app.database.query(
      `UPDATE submission_counts SET submissions = submissions - 1, spam = spam + 1 WHERE tenant_id = $1 AND ctid = (
        SELECT ctid FROM submission_counts WHERE tenant_id = $1 AND form_id = (
          SELECT form_id FROM submissions WHERE tenant_id = $1 AND id = $2
        ) LIMIT 1)`,
      [of.id, rows],
    );
  }
  const queryId = (id: string) => Promise.resolve({ rows: uuidOf(id) });

  beforeAll(async () => {
    app = await startApp();
    tenant = app.tenant();
    ({ path } = await newForm(tenant));
    all = [];
    for (let index = 0; index < 60; index++) {
      const fields: Record<string, string> = {};
      const pick = (name: string, values: readonly string[], every: number) => {
        if (index % every !== 0) fields[name] = values[(index * 7 + (index >> 3)) % values.length] ?? '';
      };
      pick('name', NAMES, 6);
      pick('email', EMAILS, 5);
      pick('age', ['1', '10', '2', '-3', '1e1'], 4);
      pick('topic', ['Press', 'press', 'Sales'], 3);
      pick('message', MESSAGES, 2);
      const { body } = await visitor().post(path, { fields }).expect(201);
      const state = (['new', 'read', 'done', 'new'] as const)[index % 4] ?? 'new';
      if (state !== 'new') await tenant.http.patch(`${path}/${body.data.id}`, { state }).expect(200);
      const verdict = index % 5 === 1 ? 'spam' : 'ok';
      if (verdict === 'spam') await markSpam(tenant, body.data.id as string);
      all.push({ ...body.data, state, verdict });
    }
  }, 120_000);
  afterAll(() => app.close());

  const read = async (query: Record<string, string>) => {
    const { body } = await tenant.http.get(`${path}?${new URLSearchParams(query).toString()}`).expect(200);
    return body as { data: Submission[]; meta: { total: number; next_cursor: string | null } };
  };

  const filters: fc.Arbitrary<Filter> = fc.oneof(
    fc.tuple(
      fc.constantFrom('name', 'message'),
      fc.constantFrom('eq', 'ne', 'lt', 'gte'),
      fc.constantFrom(...NAMES, ...MESSAGES),
    ),
    fc.tuple(
      fc.constantFrom('name', 'message', 'email'),
      fc.constantFrom('contains', 'starts_with'),
      fc.constantFrom('a', 'Á', 'ADA', 'quick', 'b', '%', 'x', 'é', LONG),
    ),
    fc.tuple(fc.constant('email'), fc.constantFrom('eq', 'ne', 'in', 'lt', 'gte'), fc.constantFrom(...EMAILS)),
    fc.tuple(fc.constant('topic'), fc.constantFrom('eq', 'ne', 'gt', 'in'), fc.constantFrom('Press', 'press', 'Sales')),
    fc.tuple(
      fc.constant('age'),
      fc.constantFrom('eq', 'ne', 'lt', 'lte', 'gt', 'gte'),
      fc.constantFrom('1', '10', '2', '0'),
    ),
    fc.tuple(
      fc.constantFrom(...FIELDS.map(({ name }) => name)),
      fc.constant('exists'),
      fc.constantFrom('true', 'false'),
    ),
  );

  const lists = fc.record({
    filters: fc.array(filters, { maxLength: 3 }),
    sort: fc.tuple(fc.constantFrom('', '-'), fc.constantFrom('created_at', 'id', ...FIELDS.map(({ name }) => name))),
    verdict: fc.constantFrom(undefined, 'ok', 'spam', 'any'),
    state: fc.constantFrom(undefined, undefined, 'new', 'read', 'done'),
    search: fc.constantFrom(undefined, undefined, 'quick', '"quick brown"', 'press -quick', 'ada or bob', 'none'),
    period: fc.tuple(fc.option(fc.nat(59), { nil: undefined }), fc.option(fc.nat(59), { nil: undefined })),
    perPage: fc.constantFrom(1, 7, 25, 100),
  });

  const FOUND: Record<string, (text: string) => boolean> = {
    quick: (text) => /\bquick\b/i.test(text),
    '"quick brown"': (text) => /\bquick brown\b/i.test(text),
    'press -quick': (text) => /\bpress\b/i.test(text) && !/\bquick\b/i.test(text),
    'ada or bob': (text) => /(^|\s|@)(ada|bob)\b/i.test(text.normalize('NFD').replace(/\p{M}/gu, '')),
    none: () => false,
  };

  it('have what a simple model has, with each combination of filters, search, verdict, state, period and order', async () => {
    await fc.assert(
      fc.asyncProperty(lists, async ({ filters, sort: [sign, by], verdict, state, search, period, perPage }) => {
        const [from, to] = period.map((index) => (index === undefined ? undefined : all[index]?.created_at));
        const kept = all.filter(
          (one) =>
            filters.every((filter) => passes(one, filter)) &&
            (verdict === 'any' || one.verdict === (verdict ?? 'ok')) &&
            (state === undefined || one.state === state) &&
            (search === undefined || (FOUND[search]?.(Object.values(one.fields).join(' \n ')) ?? false)) &&
            (from === undefined || one.created_at >= from) &&
            (to === undefined || one.created_at <= to),
        );
        const direction = sign === '-' ? -1 : 1;
        const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0) * direction;
        const isField = FIELDS.some(({ name }) => name === by);
        kept.sort((a, b) => {
          const [one, other] = [a.fields[by], b.fields[by]];
          if (isField && (one === undefined) !== (other === undefined)) return one === undefined ? 1 : -1;
          const keys = one !== undefined && other !== undefined ? compare(keyOf(by, one), keyOf(by, other)) : 0;
          return (isField && keys) || compare(a.id, b.id);
        });
        const ids = kept.map(({ id }) => id);
        const query = {
          ...Object.fromEntries(filters.map(([name, operator, value]) => [`filter[${name}][${operator}]`, value])),
          ...Object.fromEntries(
            Object.entries({ verdict, state, search, from, to }).filter(([, value]) => value !== undefined),
          ),
          sort: sign + by,
          per_page: String(perPage),
        } as Record<string, string>;
        // A later filter of the same name replaces an earlier one.
        fc.pre(new Set(filters.map(([name, operator]) => `${name} ${operator}`)).size === filters.length);
        for (let page = 1; page <= Math.min(3, Math.ceil(ids.length / perPage) + 1); page++) {
          const { data, meta } = await read({ ...query, page: String(page) });
          expect(data.map(({ id }) => id)).toEqual(ids.slice((page - 1) * perPage, page * perPage));
          expect(meta.total).toBe(ids.length);
        }
        const walked: string[] = [];
        for (let cursor: string | null = ''; cursor !== null && walked.length < 3 * perPage;) {
          const { data, meta }: Awaited<ReturnType<typeof read>> = await read({ ...query, cursor });
          walked.push(...data.map(({ id }) => id));
          cursor = meta.next_cursor;
        }
        expect(walked).toEqual(ids.slice(0, Math.max(walked.length, Math.min(ids.length, 3 * perPage))));
      }),
      { numRuns: propertyRuns(12) },
    );
  });
});

/** The UUID of a public ID. */
function uuidOf(id: string): string {
  let bits = 0n;
  for (const letter of id.slice(4)) bits = bits * 32n + BigInt('0123456789abcdefghjkmnpqrstvwxyz'.indexOf(letter));
  return bits
    .toString(16)
    .padStart(32, '0')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
