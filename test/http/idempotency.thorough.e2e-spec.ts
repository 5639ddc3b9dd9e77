import { operationOf, operationsOf, readDocument, type Operation } from '../support/api.js';
import { until } from '../support/until.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { scenariosOf } from '../support/extensions.js';
import { startRepeatingProxy } from '../support/repeating-proxy.js';
import { playScenario } from '../support/scenario.js';
import { storedEvents } from '../support/stored-events.js';

/** Operations that refuse the header, with the reason. */
const REFUSING: Record<string, string> = {
  'post /v1/media/{tenant_id}': 'An upload is a stream.',
  'post /v1/content/{tenant_id}/types/{content_type_id}/entries/import': 'An import is a stream.',
  'post /v1/forms/{tenant_id}/{form_id}/submissions/import': 'An import is a stream.',
  'post /v1/keys/{tenant_id}': 'The response contains a secret.',
  'post /v1/keys/{tenant_id}/sign-in-links': 'The response contains a secret.',
  'post /v1/schema/{tenant_id}/plan': 'It changes nothing.',
  'post /v1/invitations/{invitation_token}': 'The token is good once, and the response sets a cookie.',
  'post /v1/invitations/{invitation_token}/options': 'It changes nothing.',
  'post /v1/sessions': 'The response sets a cookie.',
  'post /v1/sessions/options': 'It changes nothing.',
  'delete /v1/sessions/current': 'A session concerns no tenant.',
  'patch /v1/me': 'It concerns no tenant.',
  'delete /v1/me/sessions/{session_id}': 'It concerns no tenant.',
  'post /v1/me/passkeys': 'A challenge is good once.',
  'post /v1/me/passkeys/options': 'It changes nothing.',
  'delete /v1/me/passkeys/{passkey_id}': 'It concerns no tenant.',
  'post /v1/password-resets': 'It concerns no tenant, and the answer is always the same.',
  'post /v1/password-resets/{token}': 'The token is good once, and the response sets a cookie.',
};

const isWrite = ({ method }: Operation) => method !== 'get';
const titleOf = ({ method, path }: Operation) => `${method} ${path}`;

describe('every operation that writes', () => {
  let app: TestApp;
  let operations: Operation[];
  /** A tenant that sent each request once, without a key. */
  let plain: { tenant: TestTenant; statuses: string[] };
  beforeAll(async () => {
    app = await startApp({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' });
    operations = operationsOf(await readDocument(app));
    for (const { refusing } of await scenariosOf(app)) Object.assign(REFUSING, refusing);
    const tenant = app.tenant();
    plain = { tenant, statuses: await statusesOf(app, tenant) };
  }, 240_000);
  afterAll(() => app.close());

  it('takes the header Idempotency-Key, or is listed with the reason why it refuses it', async () => {
    const document = await readDocument(app);
    const wrong = operations.filter(isWrite).filter((operation) => {
      const { parameters = [] } = document.paths[operation.path]![operation.method]!;
      const documented = (parameters as { name: string }[]).some(({ name }) => name === 'Idempotency-Key');
      return documented === titleOf(operation) in REFUSING;
    });
    expect(
      wrong
        .map(titleOf)
        .map((title) =>
          title in REFUSING
            ? `${title} takes the header, but REFUSING lists it.`
            : `${title} refuses the header. List it in REFUSING with the reason (an extension: in refusing of its <name>.scenario.ts).`,
        ),
    ).toEqual([]);
    const known = operations.map(titleOf);
    expect(Object.keys(REFUSING).filter((title) => !known.includes(title))).toEqual([]);
  });

  for (const mode of ['one after the other', 'at once'] as const) {
    it(`has one effect, and one answer, if it is sent twice with one key, ${mode}`, async () => {
      const tenant = app.tenant();
      const proxy = await startRepeatingProxy(app.url, mode);
      const statuses = await statusesOf({ ...app, url: proxy.url }, tenant);
      await proxy.close();
      expect(proxy.faults).toEqual([]);
      expect(statuses).toEqual(plain.statuses);
      expect(await rowsOf(app, tenant)).toEqual(await rowsOf(app, plain.tenant));
      const played = proxy.replayed.map((call) => {
        const [method = '', path = ''] = call.split(' ');
        return operationOf(operations, method.toLowerCase() as 'post', path);
      });
      const missing = operations.filter(isWrite).filter((one) => !played.includes(one) && !(titleOf(one) in REFUSING));
      expect(missing.map((one) => `No request of the scenario ${titleOf(one)} succeeds.`)).toEqual([]);
    }, 240_000);
  }
});

/** Plays the scenario. Returns the statuses of its requests, with paths whose IDs are left out. */
async function statusesOf(app: TestApp, tenant: TestTenant): Promise<string[]> {
  const { calls } = await playScenario(app, tenant);
  return calls.map(({ method, path, status }) => {
    const [plain = ''] = path.split('?');
    return `${method} ${plain.replace(/[a-z]+_[0-9a-z]{20,}|ten_[0-9a-z]+|tv[ir]_[\w-]+|preview\/.+/g, '…')} ${status}`;
  });
}

/** The types of the tenant's events, and the numbers of rows that the scenario leaves in its tables. */
async function rowsOf(app: TestApp, { id }: TestTenant): Promise<unknown> {
  // The submissions of a deleted form follow it.
  const left =
    'SELECT 1 FROM submissions s WHERE tenant_id = $1 AND NOT EXISTS (SELECT FROM forms f WHERE f.tenant_id = $1 AND f.id = s.form_id)';
  await until(async () => (await app.database.query(left, [id])).length === 0);
  const counts: Record<string, number> = {};
  for (const table of [
    'entries',
    'audit_records',
    'versions',
    'entry_drafts',
    'entry_schedules',
    'content_types',
    'forms',
    'submissions',
    'submission_files',
    'webhooks',
    'mails',
  ]) {
    const [row] = await app.database.query<{ count: string }>(`SELECT count(*) FROM ${table} WHERE tenant_id = $1`, [
      id,
    ]);
    counts[table] = Number(row?.count);
  }
  const events = await storedEvents(app, id);
  return { counts, events: events.map(({ type }) => type).sort() };
}
