import { StreamedImports } from '../../src/lists/exchange/streamed-import.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { createType, type TestType } from '../support/content.js';
import { join, setRole, signIn, makePerson } from '../support/people.js';
import { until } from '../support/until.js';

const line = (title: string) => `${JSON.stringify({ fields: { title } })}\n`;

/** Headers of who imports, and what ends or changes that. */
interface Importer {
  headers: Record<string, string>;
  end: () => PromiseLike<unknown>;
}

describe('an import whose key or session', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let type: TestType;
  beforeAll(async () => {
    app = await startApp();
    app.get(StreamedImports).progressMs = 20;
  });
  beforeEach(async () => {
    tenant = app.tenant();
    type = await createType(tenant, [{ name: 'title', type: 'text', required: true }], 'Post');
  });
  afterAll(() => app.close());

  const total = async (): Promise<number> =>
    (await tenant.http.get(`${type.entries}?per_page=1`).expect(200)).body.meta.total;

  /** Imports an entry, lets the access end, and tries to import another one. Returns the last line of the response. */
  async function lastLine({ headers, end }: Importer): Promise<Record<string, unknown>> {
    let send: (text: string) => void = () => undefined;
    const body = new ReadableStream({
      start(controller) {
        send = (text) => controller.enqueue(new TextEncoder().encode(text));
      },
    });
    const init = {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/x-ndjson' },
      body,
      duplex: 'half',
    };
    const answer = fetch(`${app.url}${type.entries}/import`, init as RequestInit).then((response) => response.text());
    send(line('One'));
    await until(async () => (await total()) === 1);
    await end();
    send(line('Two'));
    const lines = (await answer).trim().split('\n');
    expect(await total()).toBe(1);
    return JSON.parse(lines.at(-1) ?? '') as Record<string, unknown>;
  }

  const ofSession = (cookie: string) => ({ Cookie: cookie, 'X-Trivet-Console': '1', Origin: app.url });
  const refused = (code: string) => ({ done: false, created: 1, problem: expect.objectContaining({ code }) });

  it('was revoked commits nothing more', async () => {
    const made = await tenant.http.post(`/v1/keys/${tenant.id}`, { name: 'Importer', scopes: ['content:write'] });
    const { id, key } = made.body.data as { id: string; key: string };
    const end = () => tenant.http.delete(`/v1/keys/${tenant.id}/${id}`).expect(200);
    const headers = { Authorization: `Bearer ${key}` };
    expect(await lastLine({ headers, end })).toMatchObject(refused('unauthorized'));
  });

  it('was signed out commits nothing more', async () => {
    const { http, cookie } = await join(app, tenant, { role: 'editor' });
    const end = () => http.delete('/v1/sessions/current').expect(200);
    expect(await lastLine({ headers: ofSession(cookie), end })).toMatchObject(refused('unauthorized'));
  });

  it('is that of a member who was removed commits nothing more', async () => {
    const other = app.tenant();
    const person = await makePerson(app, [tenant.id, other.id]);
    const { cookie, http } = await signIn(app, person);
    const { body } = await http.get('/v1/me').expect(200);
    await join(app, tenant, { role: 'owner' });
    const end = () => tenant.http.delete(`/v1/users/${tenant.id}/${body.data.user.id}`).expect(200);
    expect(await lastLine({ headers: ofSession(cookie), end })).toMatchObject(refused('unauthorized'));
  });

  it('has other rights now begins again', async () => {
    const person = await makePerson(app, [tenant.id], 'editor');
    const { cookie } = await signIn(app, person);
    const end = () => setRole(app, tenant.id, person, 'author');
    expect(await lastLine({ headers: ofSession(cookie), end })).toMatchObject(refused('forbidden'));
  });
});
