import request from 'supertest';
import { fill, type Operation, operationsOf, readDocument, send } from '../support/api.js';
import { type Http, startApp, type TestApp, type TestTenant } from '../support/app.js';
import { createEntries, createType, type TestType } from '../support/content.js';
import { files } from '../support/files.js';

/**
 * What an operation does for a key whose content scopes are limited to content types. Every operation of Trivet is listed:
 *
 * - `path`: the path names the content type. Another one is refused with 403, whether it exists or not.
 * - `refused`: 403.
 * - `shown`: the response keeps to the content types of the key. A test below says so.
 * - `apart`: neither the request nor the response has anything of content types. Nothing below `/v1/forms` has.
 */
const OPERATIONS: Record<string, 'path' | 'refused' | 'shown' | 'apart'> = {
  'get /v1/content/{tenant_id}/types': 'shown',
  'post /v1/content/{tenant_id}/types': 'refused',
  'get /v1/content/{tenant_id}/types/{content_type_id}': 'path',
  'get /v1/content/{tenant_id}/types/{content_type_id}/schema.json': 'path',
  'put /v1/content/{tenant_id}/types/{content_type_id}': 'path',
  'delete /v1/content/{tenant_id}/types/{content_type_id}': 'path',
  'get /v1/content/{tenant_id}/changes/{change_id}': 'shown',
  'post /v1/content/{tenant_id}/types/{content_type_id}/entries/import': 'path',
  'get /v1/content/{tenant_id}/types/{content_type_id}/entries/export': 'path',
  'get /v1/content/{tenant_id}/types/{content_type_id}/entries': 'path',
  'post /v1/content/{tenant_id}/types/{content_type_id}/entries': 'path',
  'get /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}': 'path',
  'get /v1/content/{tenant_id}/types/{content_type_id}/entries/by/{field}/{value}': 'path',
  'patch /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}': 'path',
  'delete /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}': 'path',
  'get /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/versions': 'path',
  'get /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/versions/{version}': 'path',
  'get /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/versions/{version}/diff': 'path',
  'post /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/versions/{version}/restore': 'path',
  'get /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/referrers': 'path',
  'get /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/draft': 'path',
  'patch /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/draft': 'path',
  'delete /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/draft': 'path',
  'post /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/draft/publish': 'path',
  'post /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/draft/apply': 'path',
  'put /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/draft/review': 'path',
  'delete /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/draft/review': 'path',
  'get /v1/content/{tenant_id}/types/{content_type_id}/locales': 'path',
  'get /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/locales': 'path',
  'put /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/locales/{code}': 'path',
  'get /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/presence': 'path',
  'put /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/presence': 'path',
  'delete /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/presence': 'path',
  'get /v1/content/{tenant_id}/drafts': 'shown',
  'get /v1/content/{tenant_id}/search': 'shown',
  'post /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/preview-links': 'path',
  'delete /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/preview-links': 'path',
  'get /v1/preview/{token}': 'shown',
  'get /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/schedule': 'path',
  'put /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/schedule': 'path',
  'delete /v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/schedule': 'path',
  'get /v1/content/{tenant_id}/schedule': 'shown',
  'post /v1/content/{tenant_id}/bulk': 'shown',
  'get /v1/contract/{tenant_id}/openapi.json': 'shown',
  'get /v1/contract/{tenant_id}/types.ts': 'shown',
  'get /v1/media/{tenant_id}': 'apart',
  'post /v1/media/{tenant_id}': 'apart',
  'get /v1/media/{tenant_id}/{media_id}': 'apart',
  'patch /v1/media/{tenant_id}/{media_id}': 'apart',
  'delete /v1/media/{tenant_id}/{media_id}': 'shown',
  'get /v1/media/{tenant_id}/{media_id}/usage': 'shown',
  'get /v1/media/{tenant_id}/{media_id}/variant-url': 'apart',
  'get /media/{tenant_id}/{file}': 'apart',
  'get /v1/webhooks/{tenant_id}': 'apart',
  'post /v1/webhooks/{tenant_id}': 'shown',
  'get /v1/webhooks/{tenant_id}/{webhook_id}': 'apart',
  'patch /v1/webhooks/{tenant_id}/{webhook_id}': 'shown',
  'delete /v1/webhooks/{tenant_id}/{webhook_id}': 'apart',
  'get /v1/webhooks/{tenant_id}/{webhook_id}/deliveries': 'apart',
  'post /v1/webhooks/{tenant_id}/{webhook_id}/deliveries/{delivery_id}/redeliver': 'shown',
  'post /v1/webhooks/{tenant_id}/{webhook_id}/redeliver': 'shown',
  'post /v1/webhooks/{tenant_id}/{webhook_id}/replay': 'shown',
  'get /v1/webhooks/{tenant_id}/{webhook_id}/stats': 'apart',
  'post /v1/webhooks/{tenant_id}/{webhook_id}/test': 'apart',
  'get /v1/events/{tenant_id}': 'shown',
  'get /v1/audit/{tenant_id}': 'refused',
  'get /v1/usage/{tenant_id}': 'refused',
  'get /v1/usage/{tenant_id}/history': 'refused',
  'get /v1/keys/{tenant_id}': 'apart',
  'post /v1/keys/{tenant_id}': 'shown',
  'delete /v1/keys/{tenant_id}/{key_id}': 'apart',
  'post /v1/keys/{tenant_id}/{key_id}/adopt': 'apart',
  'post /v1/keys/{tenant_id}/sign-in-links': 'apart',
  'get /v1/schema/{tenant_id}': 'refused',
  'post /v1/schema/{tenant_id}/plan': 'refused',
  'post /v1/schema/{tenant_id}/apply': 'refused',
  'get /v1/roles/{tenant_id}': 'apart',
  'post /v1/roles/{tenant_id}': 'shown',
  'get /v1/roles/{tenant_id}/{role_id}': 'apart',
  'patch /v1/roles/{tenant_id}/{role_id}': 'shown',
  'delete /v1/roles/{tenant_id}/{role_id}': 'apart',
  'get /v1/users/{tenant_id}': 'apart',
  'post /v1/users/{tenant_id}': 'apart',
  'get /v1/users/{tenant_id}/{user_id}': 'apart',
  'patch /v1/users/{tenant_id}/{user_id}': 'apart',
  'delete /v1/users/{tenant_id}/{user_id}': 'apart',
  'post /v1/users/{tenant_id}/{user_id}/invite': 'apart',
};

const OWN_AREAS =
  /^\/(v1\/(content|contract|preview|forms|media|webhooks|events|audit|keys|roles|users|usage|schema)|media)\//;

describe('a key that is limited to content types', () => {
  let app: TestApp;
  let operations: Operation[];
  beforeAll(async () => {
    app = await startApp({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' });
    operations = operationsOf(await readDocument(app));
  });
  afterAll(() => app.close());

  const titleOf = ({ method, path }: Operation) => `${method} ${path}`;
  const keyWith = async (tenant: TestTenant, scopes: string[]): Promise<{ key: string; http: Http }> => {
    const { body } = await tenant.http.post(`/v1/keys/${tenant.id}`, { name: 'narrow', scopes }).expect(201);
    const { key } = (body as { data: { key: string } }).data;
    return { key, http: app.client(`Bearer ${key}`) };
  };

  /** A tenant with a post by an author, a page, and a note that refers to the post. */
  const website = async () => {
    const tenant = app.tenant();
    const text = { name: 'title', type: 'text' };
    const authors = await createType(tenant, [{ name: 'name', type: 'text' }], 'Author');
    const by = { name: 'author', type: 'reference', content_type: 'author' };
    const posts = await createType(tenant, [text, by, { name: 'cover', type: 'media' }], 'Post');
    const about = { name: 'about', type: 'reference', content_type: 'post' };
    const pages = await createType(tenant, [text, about, { name: 'cover', type: 'media' }], 'Page');
    const [author = ''] = await createEntries(tenant, authors, [{ fields: { name: 'Ada' }, status: 'published' }]);
    const [post = ''] = await createEntries(tenant, posts, [{ fields: { title: 'One', author }, status: 'published' }]);
    const [page = ''] = await createEntries(tenant, pages, [
      { fields: { title: 'Home', about: post }, status: 'published' },
    ]);
    return { tenant, authors, posts, pages, author, post, page };
  };

  it('is considered by every operation', () => {
    const known = operations.filter(({ path }) => OWN_AREAS.test(path)).map(titleOf);
    expect(
      known
        .filter((title) => !(title in OPERATIONS) && !title.includes(' /v1/forms/'))
        .map((title) => `Say in OPERATIONS what ${title} does.`),
    ).toEqual([]);
    expect(Object.keys(OPERATIONS).filter((title) => !known.includes(title))).toEqual([]);
    const inPath = operations.filter(({ path }) => path.includes('{content_type_id}')).map(titleOf);
    expect(inPath.filter((title) => OPERATIONS[title] !== 'path')).toEqual([]);
  });

  it('is refused for other content types by every operation with a content type in its path', async () => {
    const { tenant, posts, pages, post } = await website();
    const { key } = await keyWith(tenant, ['content:read@post', 'content:write@post']);
    const published = await keyWith(tenant, ['content:read:published@post']);
    const wrong: string[] = [];
    for (const operation of operations.filter((one) => OPERATIONS[titleOf(one)] === 'path')) {
      const answer = (type: string, entry_id: string, by: string) => {
        const path = fill(operation.path, { tenant_id: tenant.id, content_type_id: type, entry_id, version: '1' });
        return send(app, { ...operation, path, body: operation.body && {} }, by);
      };
      for (const type of [pages.id, 'page', 'nope', 'ct_01k9mzh6xze3n8mqsd5wkxp2zt', 'ct_', 'Post']) {
        for (const by of [key, published.key]) {
          const { status, body } = await answer(type, post, by);
          if (status !== 403)
            wrong.push(`${titleOf(operation)} answers ${status} for ${type}: ${JSON.stringify(body)}`);
        }
      }
      // The type itself is deleted at the end.
      if (operation.method === 'delete' && operation.path.endsWith('{content_type_id}')) continue;
      for (const type of [posts.id, 'post']) {
        const { status } = await answer(type, 'ent_01k9mzh6xze3n8mqsd5wkxp2zt', key);
        if (status === 403) wrong.push(`${titleOf(operation)} answers 403 for ${type}`);
      }
    }
    expect(wrong).toEqual([]);
    await app.client(`Bearer ${key}`).delete(`/v1/content/${tenant.id}/types/post`).expect(200);
  });

  it('is refused where the whole tenant is concerned', async () => {
    const { tenant } = await website();
    const { key } = await keyWith(tenant, ['content:read@post', 'content:write@post']);
    const refused = operations.filter((one) => OPERATIONS[titleOf(one)] === 'refused');
    for (const operation of refused) {
      const { status } = await send(app, { ...operation, path: fill(operation.path, { tenant_id: tenant.id }) }, key);
      expect([titleOf(operation), status]).toEqual([titleOf(operation), 403]);
    }
  });

  it('has no right that its scopes do not name', async () => {
    const { tenant, posts, post } = await website();
    const reader = await keyWith(tenant, ['content:read:published@post']);
    const writer = await keyWith(tenant, ['content:write@post']);
    await reader.http.post(posts.entries, { fields: {} }).expect(403);
    await reader.http.get(`${posts.entries}/${post}/versions`).expect(403);
    await reader.http.get(`${posts.entries}/${post}/draft`).expect(403);
    await writer.http.get(posts.entries).expect(403);
    await writer.http.post(posts.entries, { fields: { title: 'New' } }).expect(201);
    for (const path of [`/v1/forms/${tenant.id}`, `/v1/media/${tenant.id}`, `/v1/events/${tenant.id}`]) {
      await reader.http.get(path).expect(403);
    }
  });

  it('reads with one scope and writes with another', async () => {
    const { tenant, posts, pages, authors } = await website();
    const { http } = await keyWith(tenant, ['content:read@post', 'content:read@page', 'content:write@page']);
    await http.get(posts.entries).expect(200);
    await http.get(pages.entries).expect(200);
    await http.get(authors.entries).expect(403);
    await http.post(pages.entries, { fields: { title: 'New' } }).expect(201);
    await http.post(posts.entries, { fields: { title: 'New' } }).expect(403);
    const wide = await keyWith(tenant, ['content:read:published', 'content:write@page']);
    await wide.http.get(authors.entries).expect(200);
    await wide.http.patch(`${posts.path}`, {}).expect(405);
    await wide.http.put(posts.path, { name: 'x' }).expect(403);
    await wide.http.put(pages.path, { name: 'Pages' }).expect(200);
  });

  it('sees only its content types in the list of types', async () => {
    const { tenant, posts, pages } = await website();
    const list = `/v1/content/${tenant.id}/types`;
    const one = await keyWith(tenant, ['content:read:published@post']);
    const { body } = await one.http.get(list).expect(200);
    expect([body.data.map(({ id }: { id: string }) => id), body.meta.total]).toEqual([[posts.id], 1]);
    const two = await keyWith(tenant, ['content:read@post', `content:read@${pages.id}`]);
    const first = await two.http.get(`${list}?cursor=&per_page=1`).expect(200);
    const next = await two.http.get(`${list}?cursor=${first.body.meta.next_cursor}&per_page=1`).expect(200);
    expect([first, next].map((page) => page.body.data[0].id)).toEqual([pages.id, posts.id]);
    expect(next.body.meta.next_cursor).toBeNull();
    await one.http.get(`/v1/content/${tenant.id}/types/post`).expect(200);
  });

  it('sees only drafts and schedules of its content types', async () => {
    const { tenant, posts, pages, post, page } = await website();
    for (const [type, id] of [
      [posts, post],
      [pages, page],
    ] as const) {
      await tenant.http.patch(`${type.entries}/${id}/draft`, { fields: { title: 'Draft' } }).expect(200);
      await tenant.http.put(`${type.entries}/${id}/schedule`, { publish_at: '2090-01-01T00:00:00Z' }).expect(200);
    }
    const { http } = await keyWith(tenant, ['content:read@post']);
    for (const [list, name] of [
      ['drafts', 'entry_id'],
      ['schedule', 'entry_id'],
    ] as const) {
      const path = `/v1/content/${tenant.id}/${list}`;
      const numbered = await http.get(path).expect(200);
      const walked = await http.get(`${path}?cursor=`).expect(200);
      const idsOf = (data: Record<string, string>[]) => data.map((row) => row[name] ?? row['id']);
      expect([idsOf(numbered.body.data), numbered.body.meta.total]).toEqual([[post], 1]);
      expect([idsOf(walked.body.data), walked.body.meta.next_cursor]).toEqual([[post], null]);
    }
  });

  it('does not find changes of other content types', async () => {
    const { tenant, posts, pages } = await website();
    const { http } = await keyWith(tenant, ['content:read@post']);
    const changeOf = async ({ path }: TestType) => {
      const fields = [
        { name: 'title', type: 'text' },
        { name: 'other', type: 'text', default: 'x' },
      ];
      const { body } = await tenant.http.put(path, { fields }).set('Prefer', 'respond-async').expect(202);
      return `/v1/content/${tenant.id}/changes/${body.data.id}`;
    };
    await http.get(await changeOf(posts)).expect(200);
    const theirs = await changeOf(pages);
    await http.get(theirs).expect(404);
    await tenant.http.get(theirs).expect(200);
  });

  it('changes only entries of its content types with a bulk request', async () => {
    const { tenant, post, page } = await website();
    const { http } = await keyWith(tenant, ['content:write@post']);
    const bulk = (operations: object[], atomic: boolean) =>
      http.post(`/v1/content/${tenant.id}/bulk`, { operations, atomic });
    const mine = { op: 'update', content_type: 'post', entry_id: post, fields: { title: 'Two' } };
    const theirs = { op: 'update', content_type: 'page', entry_id: page, fields: { title: 'Two' } };
    const unknown = { op: 'delete', content_type: 'nope', entry_id: page };
    const refused = await bulk([mine, theirs], true).expect(403);
    expect(refused.body.errors).toEqual([
      expect.objectContaining({ path: 'operations.1.content_type', code: 'forbidden' }),
    ]);
    const { body } = await bulk([mine, theirs, unknown], false).expect(200);
    const [first, second, third] = body.data as { result: string; problem?: { code: string; detail: string } }[];
    expect([first?.result, second?.result, third?.result]).toEqual(['updated', 'failed', 'failed']);
    expect([second?.problem?.code, third?.problem]).toEqual(['forbidden', second?.problem]);
  });

  it('sees no entries of other content types through references', async () => {
    const { tenant, posts, pages, authors, post, author, page } = await website();
    const { http } = await keyWith(tenant, ['content:read@post', 'content:read@page']);
    const included = await http.get(`${posts.entries}/${post}?include=author`).expect(200);
    expect([included.body.data.fields.author, included.body.included]).toEqual([author, {}]);
    const deep = await http.get(`${pages.entries}?include=about,about.author`).expect(200);
    expect(Object.keys(deep.body.included as object)).toEqual([post]);
    await http.get(`${pages.entries}?include=about,about.author.name`).expect(400);
    for (const query of [
      'filter[author.name]=Ada',
      'filter[author.status]=published',
      'filter[author.created_at][gt]=2020-01-01',
      'where={"author.name":"Ada"}',
      'where={"not":{"author.id":{"exists":false}}}',
    ]) {
      const { body } = await http.get(`${posts.entries}?${query}`).expect(400);
      expect([query, body.code]).toEqual([query, 'unknown_field']);
    }
    await http.get(`${posts.entries}?filter[author.nope]=Ada`).expect(400);
    const found = await http.get(`${posts.entries}?search=ada&referenced=true`).expect(200);
    expect(found.body.data).toEqual([]);
    const wide = await tenant.http.get(`${posts.entries}?search=ada&referenced=true`).expect(200);
    expect(wide.body.data).toHaveLength(1);
    const seen = await http.get(`${pages.entries}?filter[about.title]=One`).expect(200);
    expect(seen.body.data.map(({ id }: { id: string }) => id)).toEqual([page]);
    const exported = await http.get(`${pages.entries}/export?filter[about.title]=One`).expect(200);
    expect(exported.text).toContain(page);
    await http.get(`${authors.entries}?filter[name]=Ada`).expect(403);
  });

  it('sees only referrers of its content types', async () => {
    const { tenant, posts, post, page } = await website();
    const path = `${posts.entries}/${post}/referrers`;
    const one = await keyWith(tenant, ['content:read@post']);
    const both = await keyWith(tenant, ['content:read:published@post', 'content:read:published@page']);
    for (const query of ['', '?cursor=']) {
      const hidden = await one.http.get(path + query).expect(200);
      expect(hidden.body.data).toEqual([]);
      const shown = await both.http.get(path + query).expect(200);
      expect(shown.body.data.map((row: { entry_id: string }) => row.entry_id)).toEqual([page]);
    }
    expect((await one.http.get(path).expect(200)).body.meta.total).toBe(0);
  });

  it('makes preview links that include only what it sees', async () => {
    const { tenant, posts, post, author } = await website();
    const follow = async (http: Http) => {
      const { body } = await http.post(`${posts.entries}/${post}/preview-links`).expect(201);
      const path = new URL((body as { data: { url: string } }).data.url).pathname;
      const shown = await app.client().get(`${path}?include=author`).expect(200);
      expect(shown.body.data.id).toBe(post);
      return Object.keys(shown.body.included as object);
    };
    expect(await follow((await keyWith(tenant, ['content:write@post', 'content:read@post'])).http)).toEqual([]);
    const writer = ['content:write@post', 'content:read@post', 'content:write@author'];
    expect(await follow((await keyWith(tenant, writer)).http)).toEqual([]);
    for (const scopes of [['content:write@post'], ['content:write@post', 'content:read@page'], ['content:write']]) {
      const refused = await (await keyWith(tenant, scopes)).http.post(`${posts.entries}/${post}/preview-links`);
      expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
    }
    const both = ['content:write@post', 'content:read@post', 'content:read@author'];
    expect(await follow((await keyWith(tenant, both)).http)).toEqual([author]);
    expect(await follow(tenant.http)).toEqual([author]);
  });

  it('sees only events of its content types, and those that concern none', async () => {
    const { tenant, posts, post, page } = await website();
    await tenant.http.patch(`${posts.entries}/${post}`, { fields: { title: 'x'.repeat(100_000) } }).expect(200);
    await tenant.http.post(`/v1/media/${tenant.id}`).attach('file', Buffer.from('A note.'), 'note.txt').expect(201);
    const { http } = await keyWith(tenant, ['events:read', 'content:read@post']);
    const read = async (query: string) => (await http.get(`/v1/events/${tenant.id}?${query}`).expect(200)).body;
    const { data, meta } = await read('');
    const types = data.map(({ type, data: one }: { type: string; data: { id: string } }) => [type, one.id]);
    expect(types.filter(([type]: string[]) => type?.startsWith('entry.'))).toEqual([
      ['entry.created', post],
      ['entry.published', post],
      ['entry.updated', post],
    ]);
    expect(types.map(([type]: string[]) => type)).toContain('media.uploaded');
    expect(JSON.stringify(data)).not.toContain(page);
    expect((await read(`cursor=${meta.next_cursor}`)).data).toEqual([]);
    const one = await read('per_page=1');
    const next = await read(`per_page=1&cursor=${one.meta.next_cursor}`);
    expect([...one.data, ...next.data]).toEqual(data.slice(0, 2));
    const all = (await tenant.http.get(`/v1/events/${tenant.id}`).expect(200)).body.data as object[];
    expect(all.length).toBeGreaterThan(data.length);
  });

  it('sends no events of content with webhooks, and learns nothing from their filters', async () => {
    const { tenant } = await website();
    const { http } = await keyWith(tenant, ['webhooks:read', 'webhooks:write', 'forms:read', 'content:read@post']);
    const path = `/v1/webhooks/${tenant.id}`;
    const url = 'https://127.0.0.1:1/hook';
    await http.post(path, { url, events: ['entry.created'] }).expect(403);
    await http.post(path, { url, events: ['*'] }).expect(403);
    const filtered = (types: string[]) =>
      http.post(path, { url, events: ['form.submitted'], filters: { content_types: types } });
    const { body } = await filtered(['page', 'nope', 'post']).expect(422);
    expect(body.errors.map((error: { path: string }) => error.path)).toEqual([
      'filters.content_types.0',
      'filters.content_types.1',
    ]);
    const own = await filtered(['post']).expect(201);
    const hook = `${path}/${own.body.data.id}`;
    await http.patch(hook, { filters: { content_types: ['page'] } }).expect(422);
    await http.patch(hook, { events: ['entry.created'] }).expect(403);
    const theirs = await tenant.http.post(path, { url, events: ['entry.created'] }).expect(201);
    await http.patch(`${path}/${theirs.body.data.id}`, { url: 'https://127.0.0.1:1/mine' }).expect(403);
  });

  it('does not learn which entries of other content types use a file', async () => {
    const { tenant, posts, pages, post, page } = await website();
    const { body } = await request(app.url)
      .post(`/v1/media/${tenant.id}`)
      .set('Authorization', `Bearer ${tenant.key}`)
      .attach('file', await files.png(), 'a.png')
      .expect(201);
    const { id } = (body as { data: { id: string } }).data;
    for (const [type, entry] of [
      [posts, post],
      [pages, page],
    ] as const) {
      await tenant.http.patch(`${type.entries}/${entry}`, { fields: { cover: { id } } }).expect(200);
    }
    const { http } = await keyWith(tenant, ['media:write', 'content:read@post']);
    const refused = await http.delete(`/v1/media/${tenant.id}/${id}`).expect(409);
    expect(refused.body.errors).toHaveLength(1);
    expect(JSON.stringify(refused.body)).toContain(post);
    expect(JSON.stringify(refused.body)).not.toContain(page);
  });

  it('does not learn which slugs other content types have', async () => {
    const { tenant, posts } = await website();
    const { http } = await keyWith(tenant, ['content:write@post']);
    for (const query of ['', '?dry_run=true']) {
      for (const slug of ['page', 'nope']) {
        const { body } = await http.put(posts.path + query, { slug }).expect(403);
        expect(body.detail).toBe('An API key that is limited to content types cannot change their slugs.');
      }
      await http.put(posts.path + query, { slug: 'post', name: 'Posts' }).expect(200);
    }
  });

  it('adds no references to content types that it does not see', async () => {
    const { tenant, posts } = await website();
    const { http } = await keyWith(tenant, ['content:write@post', 'content:read@page']);
    const by = { name: 'author', type: 'reference', content_type: 'author' };
    const fields = (...types: string[]) => [
      by,
      ...types.map((type, index) => ({ name: `r${index}`, type: 'reference', content_type: type })),
    ];
    for (const query of ['', '?dry_run=true']) {
      await http.put(posts.path + query, { fields: fields('page', 'post') }).expect(200);
      const [hidden, unknown] = [
        await http.put(posts.path + query, { fields: fields('secret') }).expect(422),
        await http.put(posts.path + query, { fields: fields('nope') }).expect(422),
      ];
      expect(hidden.body.errors).toEqual(unknown.body.errors);
    }
    await createType(tenant, [{ name: 'title', type: 'text' }], 'Secret');
    const { body } = await http.put(posts.path, { fields: fields('secret') }).expect(422);
    expect(body.errors).toEqual([
      { path: 'fields.1.content_type', code: 'reference', message: 'There is no such content type.' },
    ]);
  });

  it('makes only keys that are limited as it is', async () => {
    const { tenant } = await website();
    const { http } = await keyWith(tenant, ['keys:write', 'content:read@post', 'content:write@page']);
    const make = (scopes: string[]) => http.post(`/v1/keys/${tenant.id}`, { name: 'x', scopes });
    await make(['content:read:published@post']).expect(201);
    await make(['content:read@post', 'content:write@page']).expect(201);
    await make(['content:read']).expect(403);
    await make(['content:read:published']).expect(403);
    await make(['content:write@post']).expect(403);
    for (const other of ['author', 'nope']) {
      const { body } = await make([`content:read@${other}`]).expect(403);
      expect(body.detail).toContain(`lacks content:read@${other}.`);
    }
  });

  it('of the configuration follows the slug', async () => {
    const tenant = app.tenant();
    const api_keys = [
      { name: 'all', key: 'all' },
      { name: 'post', key: 'post', scopes: ['content:read@post', 'content:write@post', 'events:read'] },
    ];
    const other = await startApp({ TENANTS: JSON.stringify([{ id: tenant.id, name: 'Lazy', api_keys }]) });
    try {
      const [all, http] = [other.client('Bearer all'), other.client('Bearer post')];
      const types = `/v1/content/${tenant.id}/types`;
      await http.get(`${types}/post/entries`).expect(403);
      expect((await http.get(types).expect(200)).body.data).toEqual([]);
      const fields = [{ name: 'title', type: 'text' }];
      const { body } = await all.post(types, { name: 'Post', fields }).expect(201);
      const path = `${types}/${body.data.id}`;
      await http.get(`${types}/post/entries`).expect(200);
      await http.post(`${path}/entries`, { fields: { title: 'x' } }).expect(201);
      expect((await http.get(types).expect(200)).body.data).toHaveLength(1);
      await all.put(path, { slug: 'old' }).expect(200);
      await http.get(`${path}/entries`).expect(403);
      await http.get(`${types}/old/entries`).expect(403);
      await all.post(types, { name: 'Post', fields }).expect(201);
      await http.get(`${types}/post/entries`).expect(200);
      await http.get(`${path}/entries`).expect(403);
    } finally {
      await other.close();
    }
  });
});
