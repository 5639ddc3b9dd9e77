import pg from 'pg';
import { parseId } from '../../src/ids/type-id.js';
import { type Http, startApp, type TestApp, type TestTenant } from '../support/app.js';
import { ACTIVITY } from '../support/citus.js';
import { expectConsistentContent } from '../support/consistency.js';
import { createEntries, createType, type TestType } from '../support/content.js';
import { ofEntries } from '../support/stored-events.js';
import { until } from '../support/until.js';

interface Draft {
  id: string;
  fields: Record<string, unknown>;
  changed: string[];
  review?: { by?: string; at: string; note?: string };
}

describe('a review', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let type: TestType;
  /** A published entry with a draft. */
  let live: string;
  /** An entry that is not published and has no draft. */
  let own: string;

  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  beforeEach(async () => {
    tenant = app.tenant();
    type = await createType(tenant, [
      { name: 'title', type: 'text', max: 40 },
      { name: 'slug', type: 'text', unique: true },
      { name: 'extra', type: 'json' },
    ]);
    const [first, second] = await createEntries(tenant, type, [
      { fields: { title: 'Live' }, status: 'published' },
      { fields: { title: 'Own', slug: 'own' } },
    ]);
    [live, own] = [`${type.entries}/${first}`, `${type.entries}/${second}`];
    await tenant.http.patch(`${live}/draft`, { fields: { title: 'New' } }).expect(200);
  });
  afterEach(() => expectConsistentContent(app.database, tenant.id));

  const idOf = (path: string) => path.split('/').at(-1) ?? '';
  const ask = (entry: string, body: object = {}) => tenant.http.put(`${entry}/draft/review`, body);
  const draftOf = async (entry: string) =>
    ((await tenant.http.get(`${entry}/draft`).expect(200)).body as { data: Draft }).data;
  const list = async (query: string) => {
    const { body } = await tenant.http.get(`/v1/content/${tenant.id}/drafts${query}`).expect(200);
    return body as { data: Draft[]; meta: { total?: number; next_cursor?: string | null } };
  };
  const waiting = async () => (await list('?review=true')).data.map(({ id }) => id);
  const events = async () => {
    const { body } = await tenant.http.get(`/v1/events/${tenant.id}?cursor=&per_page=100`).expect(200);
    return ofEntries(body.data as { type: string; data: Draft }[]);
  };
  const keyWith = async (name: string, ...scopes: string[]): Promise<Http> => {
    const { body } = await tenant.http.post(`/v1/keys/${tenant.id}`, { name, scopes }).expect(201);
    return app.client(`Bearer ${(body as { data: { key: string } }).data.key}`);
  };

  describe('the list of what one was the last to save', () => {
    const mine = async (http: Http, query = '') => {
      const { body } = await http.get(`/v1/content/${tenant.id}/drafts?mine=true${query}`).expect(200);
      return body as { data: Draft[]; meta: { total?: number; next_cursor?: string | null } };
    };
    const ids = async (http: Http) => (await mine(http)).data.map(({ id }) => id);

    it('has the drafts of the caller, the last saved one first, and pages', async () => {
      const author = await keyWith('Author', 'content:draft', 'content:read');
      expect(await ids(author)).toEqual([]);
      await author.patch(`${own}/draft`, { fields: { title: 'Mine' } }).expect(200);
      await author.patch(`${live}/draft`, { fields: { title: 'Mine, too' } }).expect(200);
      expect(await ids(author)).toEqual([idOf(live), idOf(own)]);
      expect((await mine(author)).meta.total).toBe(2);
      expect(await ids(tenant.http)).toEqual([]);
      const first = await mine(author, '&cursor=&per_page=1');
      const next = await mine(author, `&per_page=1&cursor=${first.meta.next_cursor}`);
      expect([first, next].flatMap(({ data }) => data.map(({ id }) => id))).toEqual([idOf(live), idOf(own)]);
      await author.get(`/v1/content/${tenant.id}/drafts?mine=true&review=true`).expect(400);
      const narrow = await keyWith('Narrow', 'content:read');
      expect(await ids(narrow)).toEqual([]);
    });

    it('keeps an entry that is not published when its draft is applied, until it is published', async () => {
      await tenant.http.patch(`${own}/draft`, { fields: { title: 'Mine' } }).expect(200);
      await tenant.http.post(`${own}/draft/apply`).expect(200);
      expect((await mine(tenant.http)).data[0]).toMatchObject({
        id: idOf(own),
        changed: [],
        fields: { title: 'Mine' },
      });
      await tenant.http.patch(own, { status: 'published' }).expect(200);
      expect(await ids(tenant.http)).toEqual([idOf(live)]);
      await tenant.http.post(`${live}/draft/publish`).expect(200);
      expect(await ids(tenant.http)).toEqual([]);
    });

    it('loses what is published in bulk, and drafts that are discarded', async () => {
      await tenant.http.patch(`${own}/draft`, { fields: { title: 'Mine' } }).expect(200);
      await tenant.http.post(`${own}/draft/apply`).expect(200);
      const operation = { op: 'update', content_type: type.id, entry_id: idOf(own), status: 'published' };
      await tenant.http.post(`/v1/content/${tenant.id}/bulk`, { operations: [operation] }).expect(200);
      await tenant.http.delete(`${live}/draft`).expect(200);
      expect(await ids(tenant.http)).toEqual([]);
    });
  });

  describe('of a draft', () => {
    it('is in the draft, with who asked, when, and the note', async () => {
      const author = await keyWith('Author', 'content:draft', 'content:read');
      const { body, headers } = await author.put(`${live}/draft/review`, { note: 'Please look.' }).expect(200);
      const at = expect.stringMatching(/^\d{4}-.*Z$/);
      expect(body.data).toMatchObject({
        id: idOf(live),
        fields: { title: 'New' },
        changed: ['title'],
        review: { by: 'Author', at, note: 'Please look.' },
      });
      expect(headers['etag']).toBe('"d2"');
      expect(headers['location']).toBe(`${live}/draft`);
      const got = await tenant.http.get(`${live}/draft`).expect(200);
      expect([got.body, got.headers['etag']]).toEqual([body, '"d2"']);
    });

    it('needs no body, and the next one takes its place', async () => {
      await ask(live, { note: 'First' }).expect(200);
      await tenant.http.put(`${live}/draft/review`).expect(200);
      expect((await draftOf(live)).review).toEqual({ by: 'test', at: expect.any(String) });
    });

    it('changes neither the entry nor the times of the draft', async () => {
      const before = [(await tenant.http.get(live)).body, await draftOf(live)];
      await ask(live).expect(200);
      const { review, ...draft } = await draftOf(live);
      expect([(await tenant.http.get(live)).body, draft]).toEqual(before);
      expect(review).toBeDefined();
    });

    it('is kept when the draft is changed, restored or sent back', async () => {
      const { body } = await ask(live, { note: 'n' }).expect(200);
      const { review } = body.data as Draft;
      const saved = await tenant.http.patch(`${live}/draft`, { fields: { slug: 's' } }).expect(200);
      expect([saved.body.data.review, (await draftOf(live)).review]).toEqual([review, review]);
      await tenant.http.patch(`${live}/draft`, (await draftOf(live)) as object).expect(200);
      const wrong = await tenant.http.patch(`${live}/draft`, { review: { ...review, note: 'x' } }).expect(422);
      expect(wrong.body.errors).toMatchObject([{ path: 'review' }]);
      await tenant.http.put(`${live}/draft/review`, { ...review, note: 'm' }).expect(200);
      const foreign = await tenant.http.put(`${live}/draft/review`, { by: 'Somebody', note: 'm' }).expect(422);
      expect(foreign.body.errors).toMatchObject([{ path: 'by' }]);
      await tenant.http.post(`${live}/versions/1/restore?to=draft`).expect(200);
      expect((await draftOf(live)).review).toMatchObject({ note: 'm' });
    });

    it('ends when the draft is published or discarded', async () => {
      await ask(live).expect(200);
      await tenant.http.post(`${live}/draft/publish`).expect(200);
      expect(await waiting()).toEqual([]);
      await tenant.http.patch(`${live}/draft`, { fields: { title: 'Newer' } }).expect(200);
      expect((await draftOf(live)).review).toBeUndefined();
      await ask(live).expect(200);
      await tenant.http.delete(`${live}/draft`).expect(200);
      await tenant.http.patch(`${live}/draft`, { fields: { title: 'Newest' } }).expect(200);
      expect([(await draftOf(live)).review, await waiting()]).toEqual([undefined, []]);
    });

    it('is taken back, and then there is none', async () => {
      await ask(live).expect(200);
      const { body } = await tenant.http.delete(`${live}/draft/review`).expect(200);
      expect(body).toEqual({ message: 'The review was taken back.' });
      const { headers } = await tenant.http.get(`${live}/draft`).expect(200);
      expect([headers['etag'], (await draftOf(live)).review]).toEqual(['"d3"', undefined]);
      const again = await tenant.http.delete(`${live}/draft/review`).expect(404);
      expect(again.body.detail).toBe('There is no such review.');
    });

    it('is 404 without a draft, without the entry and for another tenant', async () => {
      await tenant.http.delete(`${live}/draft`).expect(200);
      for (const path of [live, `${type.entries}/ent_01k9mzh6xze3n8mqsd5wkxp2zt`]) {
        await ask(path).expect(404);
        await tenant.http.delete(`${path}/draft/review`).expect(404);
      }
      const { http } = app.tenant();
      await http.put(`${own}/draft/review`).expect(403);
    });

    it.each([
      [{ note: 'x'.repeat(2_001) }, 'length'],
      [{ note: null }, 'type'],
      [{ note: 5 }, 'type'],
      [{ notes: 'x' }, 'unknown_property'],
    ])('is refused with a wrong note (%#)', async (body, code) => {
      expect((await ask(live, body).expect(422)).body.errors).toMatchObject([{ code }]);
    });

    it('takes a note of 2,000 characters, of any kind', async () => {
      const note = '😀"\\\n'.repeat(500);
      await ask(live, { note }).expect(200);
      expect((await draftOf(live)).review?.note).toBe(note);
      await ask(live, { note: 'a\u0000b' }).expect(422);
    });

    it('takes the tag of the draft as If-Match', async () => {
      const send = (method: 'put' | 'delete', tag: string) =>
        tenant.http[method](`${live}/draft/review`).set('If-Match', tag);
      await send('put', '"d9"').expect(412);
      await send('put', '"v1"').expect(412);
      await send('put', 'd1').expect(400);
      await send('put', '"d1"').expect(200);
      await send('put', '"d1"').expect(412);
      await send('put', '*').expect(200);
      await send('delete', '"d2"').expect(412);
      await send('delete', '"d3"').expect(200);
      await send('delete', '*').expect(404);
    });

    it('is not for keys that may only read, and without a key it is 401', async () => {
      for (const scope of ['content:read', 'content:read:published', 'media:write']) {
        const http = await keyWith('Reader', scope);
        await http.put(`${live}/draft/review`).expect(403);
        await http.delete(`${live}/draft/review`).expect(403);
      }
      await app.client(undefined, { 'X-Forwarded-For': '10.31.7.1' }).put(`${live}/draft/review`).expect(401);
    });

    it('is asked for once with an Idempotency-Key, also of a large draft', async () => {
      await tenant.http.patch(`${live}/draft`, { fields: { extra: 'x'.repeat(300_000) } }).expect(200);
      const once = () => ask(live, { note: 'Once' }).set('Idempotency-Key', 'once');
      const { body } = await once().expect(200);
      const replayed = await once().expect(200);
      expect(replayed.headers['idempotency-replayed']).toBe('true');
      expect(replayed.body).toEqual(body);
      expect((await events()).filter((event) => event.type === 'entry.review_requested')).toHaveLength(1);
    });

    it('is in the audit log', async () => {
      await ask(live, { note: 'A secret' }).expect(200);
      await tenant.http.delete(`${live}/draft/review`).expect(200);
      const { body } = await tenant.http.get(`/v1/audit/${tenant.id}`).expect(200);
      const [second, first] = body.data as { action: string; resource: object }[];
      expect([first?.action, second?.action]).toEqual(['review_requested', 'review_taken_back']);
      expect(first?.resource).toMatchObject({ id: idOf(live) });
      expect(JSON.stringify(body)).not.toContain('A secret');
    });
  });

  describe('that was asked for', () => {
    it('emits an event with the draft and the note, and without who asked', async () => {
      await ask(live, { note: 'Look' }).expect(200);
      const { review, ...draft } = await draftOf(live);
      const event = (await events()).at(-1);
      expect(event?.type).toBe('entry.review_requested');
      expect(event?.data).toEqual({ ...draft, review: { at: review?.at, note: 'Look' } });
      await tenant.http.delete(`${live}/draft/review`).expect(200);
      await ask(own).expect(200);
      expect((await events()).slice(-2).map(({ type: one, data }) => [one, data.id])).toEqual([
        ['entry.review_requested', idOf(live)],
        ['entry.review_requested', idOf(own)],
      ]);
    });

    it('is an event only for keys that read the content type', async () => {
      await createType(tenant, [{ name: 'title', type: 'text' }], 'Page');
      await ask(live).expect(200);
      const typesFor = async (...scopes: string[]) => {
        const http = await keyWith('Narrow', 'events:read', ...scopes);
        const { body } = await http.get(`/v1/events/${tenant.id}?per_page=100`).expect(200);
        return (body.data as { type: string }[]).map((event) => event.type);
      };
      expect(await typesFor('content:read@article')).toContain('entry.review_requested');
      expect(await typesFor('content:read@page')).not.toContain('entry.review_requested');
    });
  });

  describe('of an entry that is not published', () => {
    it('shows the entry as a draft that changes nothing', async () => {
      await tenant.http.get(`${own}/draft`).expect(404);
      const { body, headers } = await ask(own, { note: 'New' }).expect(200);
      const { body: entry } = await tenant.http.get(own).expect(200);
      expect(body.data).toEqual({
        id: idOf(own),
        content_type_id: type.id,
        fields: { title: 'Own', slug: 'own' },
        changed: [],
        base_version: 1,
        created_at: entry.data.created_at,
        updated_at: entry.data.updated_at,
        review: { by: 'test', at: expect.any(String), note: 'New' },
      });
      expect(headers['etag']).toBe('"d1"');
      expect((await tenant.http.get(`${own}/draft`).expect(200)).body).toEqual(body);
      expect((await tenant.http.get(`${type.entries}?has_draft=true`)).body.meta.total).toBe(1);
      await tenant.http.post(`${own}/draft/publish`).expect(404);
      await tenant.http.delete(`${own}/draft`).expect(404);
      await tenant.http.patch(own, { fields: { title: 'Changed' } }).expect(200);
      expect(await draftOf(own)).toMatchObject({ fields: { title: 'Changed' }, review: { note: 'New' } });
      await tenant.http.delete(`${own}/draft/review`).set('If-Match', '"d1"').expect(200);
      await tenant.http.get(`${own}/draft`).expect(404);
    });

    it('takes If-Match from the first review on, and * before', async () => {
      const send = (tag: string) => tenant.http.put(`${own}/draft/review`).set('If-Match', tag);
      await send('"d0"').expect(412);
      await send('"v1"').expect(412);
      await send('*').expect(200);
      await send('"d1"').expect(200);
      await send('"d1"').expect(412);
    });

    it.each<[string, () => Promise<unknown>]>([
      ['an update', async () => tenant.http.patch(own, { status: 'published' }).expect(200)],
      ['a bulk request', async () => bulk({ op: 'update', entry_id: idOf(own), status: 'published' })],
      [
        'two operations of a bulk request',
        async () =>
          bulk(
            { op: 'update', entry_id: idOf(own), fields: { title: 'x' } },
            { op: 'update', entry_id: idOf(own), status: 'published' },
          ),
      ],
      ['an upsert', async () => bulk({ op: 'upsert', key: { slug: 'own' }, status: 'published' })],
    ])('ends when %s publishes the entry', async (_name, publish) => {
      await ask(own).expect(200);
      await publish();
      expect((await tenant.http.get(own).expect(200)).body.data.status).toBe('published');
      expect(await waiting()).toEqual([]);
      await tenant.http.patch(own, { status: 'draft' }).expect(200);
      await tenant.http.get(`${own}/draft`).expect(404);
      expect(await waiting()).toEqual([]);
    });

    it('ends when a draft of it is published or discarded', async () => {
      for (const end of [() => tenant.http.post(`${own}/draft/publish`), () => tenant.http.delete(`${own}/draft`)]) {
        await tenant.http.patch(own, { status: 'draft' }).expect(200);
        await ask(own).expect(200);
        const { body } = await tenant.http.patch(`${own}/draft`, { fields: { title: 'Beside' } }).expect(200);
        expect(body.data).toMatchObject({ changed: ['title'], review: { by: 'test' } });
        await end().expect(200);
        expect(await waiting()).toEqual([]);
      }
    });

    it('is kept by an update that does not publish, and a draft beside it keeps its own', async () => {
      await ask(own).expect(200);
      await tenant.http.patch(own, { fields: { title: 'x' }, status: 'draft' }).expect(200);
      await bulk({ op: 'update', entry_id: idOf(own), fields: { title: 'y' } });
      expect(await waiting()).toEqual([idOf(own)]);
      await tenant.http.patch(`${own}/draft`, { fields: { title: 'Beside' } }).expect(200);
      await tenant.http.patch(own, { status: 'published' }).expect(200);
      expect(await waiting()).toEqual([idOf(own)]);
      expect(await draftOf(own)).toMatchObject({ fields: { title: 'Beside' }, review: { by: 'test' } });
    });

    it('is deleted with the entry and with the type', async () => {
      await ask(own).expect(200);
      await tenant.http.delete(own).expect(200);
      await ask(live).expect(200);
      expect(await waiting()).toEqual([idOf(live)]);
      await tenant.http.delete(type.path).expect(200);
      expect(await waiting()).toEqual([]);
      expect(await app.database.query('SELECT 1 FROM entry_drafts WHERE tenant_id = $1', [tenant.id])).toEqual([]);
    });

    it.each(['first', 'last'])(
      'never waits for a published entry, if it is asked for %s while that is published',
      async (place) => {
        const client = new pg.Client({ connectionString: app.database.url });
        await client.connect();
        const other = await startApp(
          { TENANTS: JSON.stringify([{ id: tenant.id, name: 'Same', api_keys: [{ name: 'test', key: tenant.key }] }]) },
          { database: app.database },
        );
        const areWaiting = (count: number) =>
          until(async () => {
            const [row] = await app.database.query<{ waiting: number }>(
              `SELECT count(*)::int AS waiting FROM ${ACTIVITY} WHERE wait_event_type = 'Lock' AND datname = current_database()`,
            );
            return row?.waiting === count;
          });
        try {
          await client.query('BEGIN');
          await client.query('SELECT 1 FROM entries WHERE tenant_id = $1 AND id = $2 FOR UPDATE', [
            tenant.id,
            parseId('ent', idOf(own)),
          ]);
          const requests = [
            () => ask(own).then(({ status }) => status),
            () =>
              other
                .client(`Bearer ${tenant.key}`)
                .patch(own, { status: 'published' })
                .then(({ status }) => status),
          ];
          if (place === 'last') requests.reverse();
          const first = requests[0]!();
          await areWaiting(1);
          const second = requests[1]!();
          await areWaiting(2);
          await client.query('COMMIT');
          expect([await first, await second]).toEqual(place === 'first' ? [200, 200] : [200, 404]);
        } finally {
          await client.end();
          await other.close();
        }
        expect(await waiting()).toEqual([]);
      },
    );
  });

  describe('in the list of drafts', () => {
    it('is what review=true keeps, the last request first, and review=false leaves out', async () => {
      const [third] = await createEntries(tenant, type, [{ fields: { title: 'Third' }, status: 'published' }]);
      await tenant.http.patch(`${type.entries}/${third}/draft`, { fields: { title: 'x' } }).expect(200);
      await ask(live, { note: 'a' }).expect(200);
      await ask(own, { note: 'b' }).expect(200);
      const ids = async (query: string) => {
        const { data, meta } = await list(query);
        return [data.map(({ id }) => id), meta.total];
      };
      expect(await ids('?review=true')).toEqual([[idOf(own), idOf(live)], 2]);
      expect(await ids('?review=false')).toEqual([[third], 1]);
      expect(await ids('')).toEqual([[third, idOf(live)], 2]);
      const { data } = await list('?review=true');
      expect(data).toEqual([await draftOf(own), await draftOf(live)]);
      expect((await list('')).data[1]?.review?.note).toBe('a');
      await tenant.http.get(`/v1/content/${tenant.id}/drafts?review=yes`).expect(400);
    });

    it('is walked by cursor, also if it is large', async () => {
      await tenant.http.patch(own, { fields: { extra: 'x'.repeat(100_000) } }).expect(200);
      await ask(own).expect(200);
      await ask(live).expect(200);
      for (const query of ['review=true', 'review=false', '']) {
        const all = (await list(`?${query}`)).data;
        const walked: Draft[] = [];
        let cursor: string | null | undefined = '';
        while (cursor !== null && cursor !== undefined) {
          const page: Awaited<ReturnType<typeof list>> = await list(`?${query}&per_page=1&cursor=${cursor}`);
          walked.push(...page.data);
          cursor = page.meta.next_cursor;
        }
        expect(walked).toEqual(all);
      }
      const { meta } = await list('?review=true&per_page=1&cursor=');
      await tenant.http.get(`/v1/content/${tenant.id}/drafts?cursor=${meta.next_cursor}`).expect(400);
    });

    it('keeps to the content types of the key', async () => {
      const other = await createType(tenant, [{ name: 'title', type: 'text' }], 'Page');
      const [page] = await createEntries(tenant, other, [{ fields: { title: 'Page' } }]);
      await ask(`${other.entries}/${page}`).expect(200);
      await ask(own).expect(200);
      const http = await keyWith('Narrow', `content:read@${other.id}`);
      const { body } = await http.get(`/v1/content/${tenant.id}/drafts?review=true`).expect(200);
      expect([body.data.map(({ id }: Draft) => id), body.meta.total]).toEqual([[page], 1]);
    });
  });

  const bulk = (...operations: object[]) =>
    tenant.http
      .post(`/v1/content/${tenant.id}/bulk`, {
        operations: operations.map((one) => ({ content_type: type.id, ...one })),
      })
      .expect(200);
});
