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
      const answer = await response.text();
      return [response.status, JSON.parse(answer.trim().split('\n').at(-1) ?? '')] as const;
    };
    const answers = await Promise.all([send(), send(), send()]);
    expect(answers.map(([status, { done, failed, problem }]) => [status, done, failed, problem])).toEqual(
      answers.map(() => [200, true, 0, undefined]),
    );
    const created = answers.reduce((sum, [, counts]) => sum + counts.created, 0);
    expect(created).toBe(LINES);
    const { body } = await tenant.http.get(`${types}/note/entries?per_page=1`).expect(200);
    expect(body.meta.total).toBe(LINES);
  });
});
