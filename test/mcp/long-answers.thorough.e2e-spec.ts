import { createEntries, createType } from '../support/content.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { Assistant } from '../support/assistant.js';
import { magazine } from '../support/magazine.js';

const MAX_BYTES = 64 * 1024;

describe('answers of at most 25 records and 64 KiB', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  const assistantOf = (tenant: TestTenant) => Assistant.connect(app, tenant.id, tenant.key);

  it('cut long texts, which are read on piece by piece', async () => {
    const tenant = app.tenant();
    const { posts } = await magazine(tenant);
    const body = `<p>${'Grüße 👋 "quoted" \\ '.repeat(9_000)}</p>`;
    const quote = 'x\ny'.repeat(20_000);
    const [id] = await createEntries(tenant, posts, [
      {
        fields: {
          title: 'Long',
          body,
          parts: [
            { block: 'quote', text: 'short' },
            { block: 'quote', text: quote },
          ],
        },
      },
    ]);
    const assistant = await assistantOf(tenant);
    const { body: answer, bytes } = await assistant.call('get_entry', { entry_id: id });
    expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
    expect(bytes).toBeGreaterThan(MAX_BYTES / 2);
    expect(answer.data.fields.title).toBe('Long');
    expect(answer.note).toContain('Read on');
    expect(answer.cut.map(({ field }: { field: string }) => field).sort()).toEqual(['body', 'parts.1.text']);
    for (const [field, whole] of [
      ['body', body],
      ['parts.1.text', quote],
    ] as const) {
      const { offset, length } = answer.cut.find((cut: { field: string }) => cut.field === field);
      expect(length).toBe(whole.length);
      const shown = field === 'body' ? answer.data.fields.body : answer.data.fields.parts[1].text;
      expect(shown).toBe(whole.slice(0, offset));
      let read: string = shown;
      for (let next: number | null = offset; next !== null;) {
        const piece = await assistant.call('get_entry', { entry_id: id, field, offset: next });
        expect(piece.bytes).toBeLessThanOrEqual(MAX_BYTES);
        read += piece.body.piece.text;
        next = piece.body.piece.next_offset;
      }
      expect(read).toBe(whole);
    }
  });

  it('show as many entries as fit, with what they include', async () => {
    const tenant = app.tenant();
    const { posts, authors } = await magazine(tenant);
    const names = Array.from({ length: 30 }, (_, index) => ({ fields: { name: `${index} ${'n'.repeat(3_000)}` } }));
    const people = await createEntries(tenant, authors, names);
    const entries = people.map((author, index) => ({
      fields: {
        title: `${index}`,
        author,
        body: 'b'.repeat(5_000),
        extra: { list: Array.from({ length: 900 }, (_, n) => n) },
      },
    }));
    await createEntries(tenant, posts, entries);
    const assistant = await assistantOf(tenant);
    for (const args of [{}, { include: 'author' }, { include: 'author', select: 'title' }, { per_page: 3 }]) {
      const { body, bytes } = await assistant.call('search_entries', { content_type: 'post', ...args });
      expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
      expect(body.data.length + Object.keys(body.included ?? {}).length).toBeGreaterThan(2);
      expect(body.meta.total).toBe(30);
    }
    const { body } = await assistant.call('search_entries', { content_type: 'post', select: 'title' });
    expect([body.data.length, body.cut, body.left_out]).toEqual([25, undefined, undefined]);
  });

  it('leave out large values that are not texts, which are read as JSON', async () => {
    const tenant = app.tenant();
    const { posts } = await magazine(tenant);
    const extra = { list: Array.from({ length: 150_000 }, (_, n) => n) };
    const [id] = await createEntries(tenant, posts, [{ fields: { title: 'Big', extra } }]);
    const assistant = await assistantOf(tenant);
    const { body, bytes } = await assistant.call('get_entry', { entry_id: id });
    expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
    expect(body.data.fields).toEqual({ title: 'Big' });
    const [{ field, offset, length }] = body.cut;
    expect([field, offset, length]).toEqual(['extra', 0, JSON.stringify(extra).length]);
    const { body: piece } = await assistant.call('get_entry', { entry_id: id, field, offset });
    expect(JSON.stringify(extra).startsWith(piece.piece.text)).toBe(true);
  });

  it('cut the definitions of content types with very many options, which are read on', async () => {
    const tenant = app.tenant();
    const options = Array.from({ length: 450 }, (_, index) => `${index} ${'x'.repeat(230)}`);
    for (const name of ['A', 'B', 'C']) await createType(tenant, [{ name: 'kind', type: 'select', options }], name);
    const assistant = await assistantOf(tenant);
    for (const [tool, args] of [
      ['list_content_types', {}],
      ['get_content_type', { content_type: 'a' }],
    ] as const) {
      const { body, bytes, isError } = await assistant.call(tool, args);
      expect(isError).toBe(false);
      expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
      expect(body.cut.length).toBeGreaterThan(0);
    }
    const { body } = await assistant.call('get_content_type', { content_type: 'a', field: 'fields', offset: 0 });
    expect(body.piece.text).toMatch(/^\[\{"name":"kind"/);
  });

  it('cut the definitions of forms with very many options, which are read on', async () => {
    const tenant = app.tenant();
    const options = Array.from({ length: 190 }, (_, index) => `${index} ${'ü'.repeat(190)}`);
    const fields = ['a', 'b', 'c'].map((name) => ({ name, type: 'select', options }));
    const { body: form } = await tenant.http.post(`/v1/forms/${tenant.id}`, { name: 'Long', fields }).expect(201);
    const assistant = await assistantOf(tenant);
    const { body, bytes, isError } = await assistant.call('list_forms');
    expect([isError, body.data[0].id]).toEqual([false, form.data.id]);
    expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
    const [{ field, offset, length }] = body.cut;
    expect([field, offset]).toEqual(['fields', 0]);
    let read = '';
    for (let next: number | null = offset; next !== null;) {
      const { body: answer } = await assistant.call('list_forms', { form_id: form.data.id, field, offset: next });
      read += answer.piece.text;
      next = answer.piece.next_offset;
    }
    expect(read).toHaveLength(length);
    expect(JSON.parse(read)).toMatchObject(fields.map(({ name }) => ({ name, options })));
  });
});
