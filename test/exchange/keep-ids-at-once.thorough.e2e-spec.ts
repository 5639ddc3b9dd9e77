import { startApp, type TestApp } from '../support/app.js';

const LINES = 1_500;

describe('imports of the same entries with their IDs at once', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  it.each([false, true])('create each entry once, and none fails (localized: %s)', async (localized) => {
    const tenant = app.tenant();
    const fields = [
      { name: 'title', type: 'text', ...(localized && { localized }) },
      { name: 'code', type: 'integer', unique: true },
    ];
    const types = `/v1/content/${tenant.id}/types`;
    await tenant.http
      .put(`/v1/locales/${tenant.id}`, { default: 'en', locales: [{ code: 'en' }, { code: 'de' }] })
      .expect(200);
    await tenant.http.post(types, { name: 'Note', fields }).expect(201);
    const id = (number: number) => `ent_01hn5rw000e008${String(number).padStart(12, '0')}`;
    const lines = Array.from({ length: LINES }, (_, number) => {
      return `${JSON.stringify({ id: id(number), ...(localized && { locale: '*' }), fields: { title: localized ? { en: `Note ${number}`, de: `Notiz ${number}` } : `Note ${number}`, code: number }, status: 'published' })}\n`;
    });
    const send = async () => {
      const response = await fetch(`${app.url}${types}/note/entries/import?keep_ids=true`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${tenant.key}`, 'Content-Type': 'application/x-ndjson' },
        body: lines.join(''),
      });
      const answers = (await response.text()).trim().split('\n');
      const results = answers.map((answer) => JSON.parse(answer));
      const refused = results.filter(({ line, problem }) => line !== undefined && problem).slice(0, 3);
      return { status: response.status, refused, counts: results.at(-1) };
    };
    const imports = await Promise.all([send(), send(), send()]);
    expect(
      imports.map(({ status, refused, counts: { done, failed, problem } }) => ({
        status,
        refused,
        done,
        failed,
        problem,
      })),
    ).toEqual(imports.map(() => ({ status: 200, refused: [], done: true, failed: 0, problem: undefined })));
    const created = imports.reduce((sum, { counts }) => sum + counts.created, 0);
    expect(created).toBe(LINES);
    const { body } = await tenant.http.get(`${types}/note/entries?per_page=1`).expect(200);
    expect(body.meta.total).toBe(LINES);
  });
});
