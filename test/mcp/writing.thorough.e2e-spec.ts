import { createEntries, createType } from '../support/content.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { Assistant } from '../support/assistant.js';
import { makeKey } from '../support/make-key.js';

const FIELDS = [
  { name: 'title', type: 'text', required: true },
  { name: 'price', type: 'number' },
];

/** The records of the audit log about a resource, newest first. */
async function recordsOf(tenant: TestTenant, id: string) {
  const { body } = await tenant.http.get(`/v1/audit/${tenant.id}?resource=${id}`).expect(200);
  return body.data as { action: string; via?: string; actor: { name: string } }[];
}

describe('an assistant that writes', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  const withScopes = async (tenant: TestTenant, scopes: string[]) =>
    Assistant.connect(app, tenant.id, await makeKey(tenant, scopes));

  it.each([[['*']], [['content:write', 'content:read']], [['content:draft@article', 'content:read@article']]])(
    'makes a draft, which the API has, with %j',
    async (scopes) => {
      const tenant = app.tenant();
      const type = await createType(tenant, FIELDS);
      const assistant = await withScopes(tenant, scopes);
      const { body, isError } = await assistant.call('create_entry', {
        content_type: 'article',
        fields: { title: 'New' },
      });
      expect(isError).toBe(false);
      const { id } = body.data;
      const { body: stored } = await tenant.http.get(`${type.entries}/${id}`).expect(200);
      expect([stored.data.status, stored.data.fields]).toEqual(['draft', { title: 'New' }]);
      const changed = await assistant.call('update_entry', { entry_id: id, fields: { price: 3 } });
      expect(changed.body.data).toMatchObject({ id, status: 'draft', fields: { title: 'New', price: 3 } });
    },
  );

  it('saves changes of a published entry in its draft, whatever its key may do', async () => {
    const tenant = app.tenant();
    const type = await createType(tenant, FIELDS);
    const [id = ''] = await createEntries(tenant, type, [{ fields: { title: 'Live' }, status: 'published' }]);
    const assistant = await withScopes(tenant, ['*']);
    const { body } = await assistant.call('update_entry', {
      content_type: type.id,
      entry_id: id,
      fields: { title: 'Changed' },
    });
    expect(body.data).toMatchObject({ id, changed: ['title'], fields: { title: 'Changed' } });
    const { body: live } = await tenant.http.get(`${type.entries}/${id}`).expect(200);
    expect([live.data.status, live.data.fields.title]).toEqual(['published', 'Live']);
    const shown = await assistant.call('get_entry', { entry_id: id, preview: true });
    expect(shown.body.data.fields.title).toBe('Changed');
  });

  it('cannot publish, unpublish or delete', async () => {
    const tenant = app.tenant();
    const type = await createType(tenant, FIELDS);
    const assistant = await withScopes(tenant, ['*']);
    expect(await assistant.tools()).not.toContain('publish_entry');
    for (const name of ['publish_entry', 'delete_entry']) {
      await expect(assistant.call(name, { entry_id: 'ent_00000000000000000000000000' })).rejects.toThrow(
        'There is no tool',
      );
    }
    const args = { content_type: 'article', fields: { title: 'x' }, status: 'published' };
    expect((await assistant.call('create_entry', args)).body.errors).toMatchObject([
      { path: 'status', code: 'unknown_property' },
    ]);
    const { body } = await tenant.http.get(type.entries).expect(200);
    expect(body.data).toEqual([]);
  });

  it('gets every wrong value with its path', async () => {
    const tenant = app.tenant();
    const type = await createType(tenant, FIELDS);
    const assistant = await withScopes(tenant, ['*']);
    const fields = { price: 'much', nope: 1 };
    const { body: api } = await tenant.http.post(type.entries, { fields }).expect(422);
    const { body } = await assistant.call('create_entry', { content_type: 'article', fields });
    expect(body).toEqual({ status: 422, code: api.code, detail: api.detail, errors: api.errors });
    const { body: text } = await assistant.call('create_entry', { content_type: 'article', fields: { title: 'a\0b' } });
    expect(text.errors).toMatchObject([{ path: 'fields.title', code: 'text' }]);
  });

  it('refuses numbers that would be stored as others', async () => {
    const tenant = app.tenant();
    await createType(tenant, FIELDS);
    const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_entry",
      "arguments":{"content_type":"article","fields":{"title":"x","price":9007199254740993}}}}`;
    const response = await fetch(`${app.url}/mcp/${tenant.id}`, {
      method: 'POST',
      body: message,
      headers: {
        Authorization: `Bearer ${tenant.key}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
    });
    const { result } = (await response.json()) as { result: { content: { text: string }[] } };
    expect(JSON.parse(result.content[0]?.text ?? '').errors).toMatchObject([{ path: 'fields.price', code: 'number' }]);
  });

  it('checks an entry without changing anything', async () => {
    const tenant = app.tenant();
    const type = await createType(tenant, FIELDS);
    const [id] = await createEntries(tenant, type, [{ fields: { title: 'Old' } }]);
    const assistant = await withScopes(tenant, ['*']);
    const check = async (args: object) =>
      (await assistant.call('validate_entry', { content_type: 'article', ...args })).body.data;
    expect(await check({ fields: { title: 'x' } })).toEqual({ valid: true });
    expect(await check({ fields: { title: 'x' }, status: 'published' })).toEqual({ valid: true });
    expect(await check({ entry_id: id, fields: { price: 1 } })).toEqual({ valid: true });
    expect(await check({ fields: { price: 'x' } })).toMatchObject({
      valid: false,
      errors: [
        { path: 'fields.title', code: 'required' },
        { path: 'fields.price', code: 'type' },
      ],
    });
    const { body } = await tenant.http.get(type.entries).expect(200);
    expect(body.data).toHaveLength(1);
    const missing = await assistant.call('validate_entry', { content_type: 'nope', fields: {} });
    expect([missing.isError, missing.body.code]).toEqual([true, 'not_found']);
  });

  it('checks a change of a published entry as one of its draft, with a key for drafts', async () => {
    const tenant = app.tenant();
    const type = await createType(tenant, FIELDS);
    const [id] = await createEntries(tenant, type, [{ fields: { title: 'Live' }, status: 'published' }]);
    const assistant = await withScopes(tenant, ['content:draft', 'content:read']);
    const check = async (args: object) =>
      (await assistant.call('validate_entry', { content_type: 'article', ...args })).body.data;
    const [right, wrong] = [{ price: 1 }, { price: 'x' }];
    expect(await check({ entry_id: id, fields: right })).toEqual({ valid: true });
    expect(await check({ entry_id: id, fields: right, status: 'published' })).toEqual({ valid: true });
    expect(await check({ fields: { title: 'New' }, status: 'published' })).toEqual({ valid: true });
    expect(await check({ entry_id: id, fields: wrong })).toMatchObject({
      valid: false,
      detail: '1 value is not valid.',
      errors: [{ path: 'fields.price', code: 'type' }],
    });
    expect((await assistant.call('update_entry', { entry_id: id, fields: wrong })).isError).toBe(true);
    expect((await assistant.call('update_entry', { entry_id: id, fields: right })).isError).toBe(false);
    const { body: tried } = await app
      .client(`Bearer ${await makeKey(tenant, ['content:draft'])}`)
      .post(`/v1/content/${tenant.id}/bulk`, {
        operations: [{ op: 'update', content_type: 'article', entry_id: id, fields: right }],
        dry_run: true,
      })
      .expect(403);
    expect(tried.code).toBe('forbidden');
  });

  it('accepts a draft of a published entry that lacks a value that became required, but not for publishing', async () => {
    const tenant = app.tenant();
    const type = await createType(tenant, FIELDS);
    const [id] = await createEntries(tenant, type, [{ fields: { title: 'Live' }, status: 'published' }]);
    const fields = FIELDS.map((field) => ({ ...field, required: true }));
    await tenant.http.put(type.path, { fields }).expect(200);
    const assistant = await withScopes(tenant, ['*']);
    const check = async (args: object) =>
      (await assistant.call('validate_entry', { content_type: 'article', entry_id: id, ...args })).body.data;
    expect(await check({ fields: { title: 'Newer' } })).toEqual({ valid: true });
    expect((await assistant.call('update_entry', { entry_id: id, fields: { title: 'Newer' } })).isError).toBe(false);
    expect(await check({ fields: { title: 'Newer' }, status: 'published' })).toMatchObject({
      valid: false,
      errors: [{ path: 'fields.price', code: 'required' }],
    });
  });

  it('gets at most 50 errors, of any length', async () => {
    const tenant = app.tenant();
    await createType(tenant, [...FIELDS, { name: 'tags', type: 'text', multiple: true, max: 3 }]);
    const assistant = await withScopes(tenant, ['*']);
    const tags = Array.from({ length: 400 }, (_, index) => `too long ${index}`);
    const unknown = Object.fromEntries(tags.map((tag) => [`${tag} ${'ü'.repeat(500)}`, 1]));
    for (const fields of [
      { title: 'x', tags },
      { title: 'x', ...unknown },
    ]) {
      const args = { content_type: 'article', fields };
      const checked = await assistant.call('validate_entry', args);
      const created = await assistant.call('create_entry', args);
      expect([checked.body.data.valid, created.isError]).toEqual([false, true]);
      for (const { errors } of [checked.body.data, created.body]) {
        expect(errors.length).toBeGreaterThan(10);
        expect(errors.length).toBeLessThanOrEqual(50);
      }
      for (const { bytes } of [checked, created]) expect(bytes).toBeLessThanOrEqual(64 * 1024);
    }
  });

  it('asks for a review', async () => {
    const tenant = app.tenant();
    const type = await createType(tenant, FIELDS);
    const assistant = await withScopes(tenant, ['*']);
    const { body } = await assistant.call('create_entry', { content_type: 'article', fields: { title: 'New' } });
    await assistant.call('request_review', { entry_id: body.data.id, note: 'Please look at the title.' });
    const { body: waiting } = await tenant.http.get(`/v1/content/${tenant.id}/drafts?review=true`).expect(200);
    expect(waiting.data).toMatchObject([
      { id: body.data.id, review: { by: 'made', note: 'Please look at the title.' } },
    ]);
    expect(type.id).toBe(waiting.data[0].content_type_id);
  });

  it('leaves records in the audit log that say so', async () => {
    const tenant = app.tenant();
    const type = await createType(tenant, FIELDS);
    const assistant = await withScopes(tenant, ['*']);
    const { body } = await assistant.call('create_entry', { content_type: 'article', fields: { title: 'New' } });
    const { id } = body.data;
    await assistant.call('request_review', { entry_id: id });
    await tenant.http.patch(`${type.entries}/${id}`, { status: 'published' }).expect(200);
    await assistant.call('update_entry', { entry_id: id, fields: { title: 'Newer' } });
    const records = (await recordsOf(tenant, id)).map(({ action, via, actor }) => [action, via, actor.name]);
    expect(records).toEqual([
      ['draft_saved', 'mcp', 'made'],
      ['published', undefined, 'test'],
      ['review_requested', 'mcp', 'made'],
      ['created', 'mcp', 'made'],
    ]);
  });
});

describe('an assistant of a service with MCP_WRITES=live', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp({ MCP_WRITES: 'live' });
  });
  afterAll(() => app.close());

  it('publishes and deletes with tools that are marked as destructive', async () => {
    const tenant = app.tenant();
    const type = await createType(tenant, FIELDS);
    const assistant = await Assistant.connect(app, tenant.id, tenant.key);
    const { tools } = await assistant.client.listTools();
    const destructive = tools.filter(({ annotations }) => annotations?.destructiveHint).map(({ name }) => name);
    expect(destructive).toEqual(['publish_entry', 'delete_entry']);
    const { body } = await assistant.call('create_entry', { content_type: 'article', fields: { title: 'New' } });
    const { id } = body.data;
    const status = async () => (await tenant.http.get(`${type.entries}/${id}`)).body.data;
    expect((await assistant.call('publish_entry', { entry_id: id })).body.data.status).toBe('published');
    await assistant.call('update_entry', { entry_id: id, fields: { title: 'Newer' } });
    expect((await status()).fields.title).toBe('New');
    expect((await assistant.call('publish_entry', { entry_id: id })).body.data.fields.title).toBe('Newer');
    expect((await status()).fields.title).toBe('Newer');
    expect((await assistant.call('delete_entry', { entry_id: id })).body).toEqual({
      message: 'The entry was deleted.',
    });
    await tenant.http.get(`${type.entries}/${id}`).expect(404);
    expect((await recordsOf(tenant, id))[0]).toMatchObject({ action: 'deleted', via: 'mcp' });
  });

  it('cannot do so with a key for drafts', async () => {
    const tenant = app.tenant();
    const type = await createType(tenant, FIELDS);
    const [live] = await createEntries(tenant, type, [{ fields: { title: 'Live' }, status: 'published' }]);
    const key = await makeKey(tenant, ['content:draft', 'content:read']);
    const assistant = await Assistant.connect(app, tenant.id, key);
    expect(await assistant.tools()).not.toContain('publish_entry');
    for (const name of ['publish_entry', 'delete_entry']) {
      expect((await assistant.call(name, { entry_id: live })).body.code).toBe('forbidden');
    }
  });
});
