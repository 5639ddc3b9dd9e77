import { AuditRetention } from '../../src/audit/audit-retention.js';
import { firstUuidOf } from '../../src/ids/type-id.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { createEntries, createType, type TestType } from '../support/content.js';
import { files } from '../support/files.js';
import { expectServerErrors } from '../support/server-errors.js';
import { until } from '../support/until.js';
import request from 'supertest';

interface AuditRecord {
  id: string;
  at: string;
  actor: { key_id: string; name: string };
  action: string;
  resource: { type: string; id: string };
  changes: string[];
  request_id: string;
  ip?: string;
}

const FIELDS = [
  { name: 'title', type: 'text', required: true },
  { name: 'slug', type: 'text', unique: true },
];
const DAY = 86_400_000;

describe('the audit log', () => {
  let app: TestApp;
  let tenant: TestTenant;
  beforeAll(async () => {
    app = await startApp({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true', AUDIT_RETENTION: '10d' });
  });
  afterAll(() => app.close());
  beforeEach(() => {
    tenant = app.tenant();
  });

  const auditOf = ({ id }: TestTenant) => `/v1/audit/${id}`;
  const list = async (query = '', of = tenant): Promise<AuditRecord[]> => {
    const { body } = await of.http.get(`${auditOf(of)}?per_page=100${query}`).expect(200);
    return (body as { data: AuditRecord[] }).data;
  };
  /** The records of the resource as `action changes`, oldest first. */
  const history = async (resource: string) =>
    (await list(`&resource=${resource}`)).map(({ action, changes }) => [action, ...changes].join(' ')).reverse();
  const keyWith = async (scopes: string[]) => {
    const { body } = await tenant.http.post(`/v1/keys/${tenant.id}`, { name: 'Desk', scopes }).expect(201);
    const { id, key } = (body as { data: { id: string; key: string } }).data;
    return { id, http: app.client(`Bearer ${key}`) };
  };
  const typeWithEntry = async (): Promise<{ type: TestType; entry: string; path: string }> => {
    const type = await createType(tenant, FIELDS);
    const [entry = ''] = await createEntries(tenant, type, [{ fields: { title: 'One', slug: 'one' } }]);
    return { type, entry, path: `${type.entries}/${entry}` };
  };

  describe('is shown', () => {
    it('only with a key', async () => {
      await app.client().get(auditOf(tenant)).expect(401);
    });

    it('only to keys with *, read or audit:read', async () => {
      for (const scope of ['*', 'read', 'audit:read']) {
        await (await keyWith([scope])).http.get(auditOf(tenant)).expect(200);
      }
      for (const scope of ['write', 'content:read', 'events:read', 'keys:write']) {
        await (await keyWith([scope])).http.get(auditOf(tenant)).expect(403);
      }
    });

    it('neither to keys of other tenants nor to keys that are limited to content types', async () => {
      const other = app.tenant();
      await other.http.get(auditOf(tenant)).expect(403);
      const type = await createType(tenant, FIELDS);
      const narrow = await keyWith(['audit:read', `content:read@${type.id}`]);
      await narrow.http.get(auditOf(tenant)).expect(403);
      await createType(other, FIELDS);
      expect((await list('', other)).map(({ action }) => action)).toEqual(['created']);
    });

    it('with who changed what in which request, newest first', async () => {
      const before = Date.now();
      const type = await createType(tenant, FIELDS);
      const writer = await keyWith(['*']);
      const created = await writer.http
        .post(type.entries, { fields: { title: 'One' } })
        .set('X-Request-Id', 'request-1')
        .expect(201);
      const [record, ofKey, ofType, ...others] = await list();
      expect(record).toEqual({
        id: expect.stringMatching(/^aud_/),
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        actor: { key_id: writer.id, name: 'Desk' },
        action: 'created',
        resource: { type: 'entry', id: created.body.data.id },
        changes: [],
        request_id: 'request-1',
      });
      expect(Date.parse(record?.at ?? '')).toBeGreaterThanOrEqual(before);
      expect(Date.parse(record?.at ?? '')).toBeLessThanOrEqual(Date.now());
      expect([ofKey?.resource, ofType?.resource]).toEqual([
        { type: 'key', id: writer.id },
        { type: 'content_type', id: type.id },
      ]);
      expect(others).toEqual([]);
      const { body } = await tenant.http.get(`/v1/keys/${tenant.id}`).expect(200);
      const configured = (body as { data: { id: string; name: string }[] }).data.find(({ name }) => name === 'test');
      expect(ofType?.actor).toEqual({ key_id: configured?.id, name: 'test' });
    });

    it('page by page', async () => {
      const type = await createType(tenant, FIELDS);
      const ids = await createEntries(
        tenant,
        type,
        [1, 2, 3].map((n) => ({ fields: { title: `${n}` } })),
      );
      const seen: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const { body } = await tenant.http.get(`${auditOf(tenant)}?per_page=2&cursor=${cursor}`).expect(200);
        expect(body.meta.per_page).toBe(2);
        seen.push(...(body.data as AuditRecord[]).map(({ resource }) => resource.id));
        cursor = body.meta.next_cursor as string | null;
      }
      expect(seen).toEqual([...ids.reverse(), type.id]);
    });

    it('by actor, action, resource and time, alone and together', async () => {
      const { entry, path } = await typeWithEntry();
      const writer = await keyWith(['write']);
      await writer.http.patch(path, { fields: { title: 'Two' }, status: 'published' }).expect(200);
      await tenant.http.delete(path).expect(200);
      const actions = async (query: string) => (await list(query)).map(({ action }) => action);
      expect(await actions(`&actor=${writer.id}`)).toEqual(['published']);
      expect(await actions('&action=deleted')).toEqual(['deleted']);
      expect(await actions('&action=released')).toEqual([]);
      expect(await actions(`&resource=${entry}`)).toEqual(['deleted', 'published', 'created']);
      expect(await actions(`&resource=${entry}&actor=${writer.id}&action=published`)).toEqual(['published']);
      expect(await actions(`&resource=${entry}&actor=${writer.id}&action=deleted`)).toEqual([]);
      const [last, second] = await list();
      expect(await actions(`&from=${last?.at}&resource=${entry}&action=deleted`)).toEqual(['deleted']);
      expect(await actions(`&to=${second?.at}&action=published`)).toEqual(['published']);
      expect(await actions('&from=2100-01-01T00:00:00Z')).toEqual([]);
      const day = String(last?.at).slice(0, 10);
      expect(await actions(`&from=${day}&to=${day}&resource=${entry}`)).toEqual(['deleted', 'published', 'created']);
      expect(await actions(`&to=2000-01-01`)).toEqual([]);
      expect(await actions('&to=2000-01-01T00:00:00%2B01:00')).toEqual([]);
    });

    it('not for wrong parameters', async () => {
      await createType(tenant, FIELDS);
      const { body } = await tenant.http.get(`${auditOf(tenant)}?per_page=1&cursor=`).expect(200);
      await createType(tenant, FIELDS);
      const first = await tenant.http.get(`${auditOf(tenant)}?per_page=1&action=created`).expect(200);
      expect(body.meta.next_cursor).toBeNull();
      for (const query of [
        'actor=test',
        'actor=key_',
        'action=Deleted',
        'resource=ent_1',
        `resource=${'a'.repeat(21)}_01k9mzh6xze3n8mqsd5wkxp2zt`,
        'from=yesterday',
        'to=2026-13-01T00:00:00Z',
        'cursor=nonsense',
        `cursor=${first.body.meta.next_cursor}`,
        `cursor=${first.body.meta.next_cursor}&action=deleted`,
        'page=1',
        'sort=at',
        'per_page=101',
      ]) {
        const answer = await tenant.http.get(`${auditOf(tenant)}?${query}`);
        expect([query, answer.status]).toEqual([query, 400]);
      }
    });
  });

  describe('has a record', () => {
    it('of what a change of an entry was about', async () => {
      const { entry, path } = await typeWithEntry();
      await tenant.http.patch(path, { fields: { title: 'Two', slug: 'one' } }).expect(200);
      await tenant.http.patch(path, { fields: { slug: null }, status: 'published' }).expect(200);
      await tenant.http.patch(path, { fields: { title: 'Two' } }).expect(200);
      await tenant.http.patch(path, { status: 'draft' }).expect(200);
      await tenant.http.post(`${path}/versions/1/restore`).expect(200);
      await tenant.http.post(`${path}/versions/1/restore`).expect(200);
      await tenant.http.patch(`${path}/draft`, { fields: { title: 'Three' } }).expect(200);
      await tenant.http.patch(`${path}/draft`, {}).expect(200);
      await tenant.http.post(`${path}/draft/publish`).expect(200);
      await tenant.http.put(`${path}/schedule`, { unpublish_at: '2100-01-01T00:00:00Z' }).expect(200);
      await tenant.http.delete(`${path}/schedule`).expect(200);
      await tenant.http.delete(path).expect(200);
      expect(await history(entry)).toEqual([
        'created',
        'updated title',
        'published slug status',
        // Nothing has another value, but there is a new version.
        'updated',
        'unpublished status',
        'restored title slug',
        // The second restoration and the empty draft changed nothing.
        'draft_saved title',
        'published title status',
        'scheduled unpublish_at',
        'unscheduled',
        'deleted',
      ]);
    });

    it('of each entry of a bulk request and an import', async () => {
      const { type, entry } = await typeWithEntry();
      const of = (op: string, more: object) => ({ op, content_type: type.id, ...more });
      const bulk = (operations: object[], more: object = {}) =>
        tenant.http.post(`/v1/content/${tenant.id}/bulk`, { operations, ...more }).expect(200);
      await bulk([of('create', { fields: { title: 'No' } })], { dry_run: true });
      const { body, headers } = await bulk(
        [
          of('create', { fields: { title: 'Two' } }),
          of('update', { entry_id: entry, fields: { title: 'New' } }),
          of('create', { fields: {} }),
          of('upsert', { key: { slug: 'one' }, fields: { title: 'New' } }),
          of('delete', { entry_id: entry }),
        ],
        { atomic: false },
      );
      const [created = { entry_id: '' }] = body.data as { entry_id: string }[];
      expect(await history(created.entry_id)).toEqual(['created']);
      expect(await history(entry)).toEqual(['created', 'updated title', 'deleted']);
      const ofRequest = (await list()).filter(({ request_id }) => request_id === headers['x-request-id']);
      expect(ofRequest).toHaveLength(3);
      const imported = await request(app.url)
        .post(`${type.entries}/import`)
        .set({ Authorization: `Bearer ${tenant.key}`, 'Content-Type': 'application/x-ndjson' })
        .send(Array.from({ length: 600 }, (_, index) => `{"fields":{"title":"Line ${index}"}}\n`).join(''));
      expect(imported.status).toBe(200);
      const [count] = await app.database.query<{ count: number }>(
        `SELECT count(DISTINCT resource_id)::int FROM audit_records WHERE tenant_id = $1 AND request_id = $2 AND action = 'created'`,
        [tenant.id, imported.headers['x-request-id']],
      );
      expect(count?.count).toBe(600);
    });

    it('of each entry that is deleted with its content type', async () => {
      const { type, entry } = await typeWithEntry();
      await tenant.http.delete(type.path).expect(200);
      expect(await history(entry)).toEqual(['created', 'deleted']);
      expect(await history(type.id)).toEqual(['created', 'deleted']);
    });

    it('of a change of a content type in the background when it takes effect', async () => {
      const { type } = await typeWithEntry();
      const fields = [{ name: 'headline', type: 'text', renamed_from: 'title' }, FIELDS[1]];
      const { headers } = await tenant.http
        .put(type.path, { fields, name: 'News' })
        .set('Prefer', 'respond-async')
        .expect(202);
      await until(async () => (await tenant.http.get(headers.location ?? '')).body.data.state === 'done');
      expect(await history(type.id)).toEqual(['created', 'updated name fields']);
      const [record] = await list(`&resource=${type.id}`);
      expect(record?.request_id).toBe(headers['x-request-id']);
      expect(record?.actor.name).toBe('test');
    });

    it('of each key that a revocation revokes', async () => {
      const maker = await keyWith(['*']);
      const { body } = await maker.http.post(`/v1/keys/${tenant.id}`, { name: 'Made', scopes: ['read'] }).expect(201);
      const made = (body as { data: { id: string } }).data.id;
      await tenant.http.delete(`/v1/keys/${tenant.id}/${maker.id}`).expect(200);
      expect(await history(made)).toEqual(['created', 'revoked']);
      expect(await history(maker.id)).toEqual(['created', 'revoked']);
      expect((await list(`&actor=${maker.id}`)).map(({ resource }) => resource.id)).toEqual([made]);
    });

    it('of what a change of a form and its submissions was about', async () => {
      const forms = `/v1/forms/${tenant.id}`;
      const fields = [{ name: 'email', type: 'email', required: true }];
      const { body } = await tenant.http.post(forms, { name: 'Contact', fields }).expect(201);
      const form = `${forms}/${body.data.id}`;
      const submit = async () => {
        const test = request(app.url).post(`${form}/submissions`).set('X-Forwarded-For', '192.0.2.7');
        return (await test.send({ fields: { email: 'ada@example.com' } }).expect(201)).body.data.id as string;
      };
      const [first, second, third] = [await submit(), await submit(), await submit()];
      await tenant.http
        .patch(form, { name: 'Contact', settings: { closed: true }, notify_email: 'a@example.com' })
        .expect(200);
      const path = `${form}/submissions/${first}`;
      await tenant.http.patch(path, { state: 'done', note: 'Called' }).expect(200);
      for (const verb of ['mark-spam', 'mark-spam', 'release']) await tenant.http.post(`${path}/${verb}`).expect(200);
      await tenant.http.delete(path).expect(200);
      await tenant.http.post(`${form}/submissions/delete`, { ids: [second, third, first] }).expect(200);
      await tenant.http.delete(form).expect(200);
      expect(await history(body.data.id as string)).toEqual(['created', 'updated notify_email settings', 'deleted']);
      expect(await history(first)).toEqual(['updated state note', 'marked_spam', 'released', 'deleted']);
      expect([await history(second), await history(third)]).toEqual([['deleted'], ['deleted']]);
    });

    it('of what a change of a webhook was about, with neither its secret nor its headers', async () => {
      const webhooks = `/v1/webhooks/${tenant.id}`;
      const url = 'https://127.0.0.1:1/hook';
      const secret = 'a secret that nobody sees';
      const created = { url, events: ['entry.created'], secret, headers: { Authorization: 'Bearer hidden' } };
      const { body } = await tenant.http.post(webhooks, created).expect(201);
      const id = body.data.id as string;
      const patch = (change: object) => tenant.http.patch(`${webhooks}/${id}`, change).expect(200);
      await patch({ secret: 'another secret', active: true, max_concurrency: 5 });
      await patch({ url: 'https://127.0.0.2:1/hook' });
      await tenant.http.post(`${webhooks}/${id}/test`).expect(202);
      await patch({ active: false, secret: 'another secret' });
      await tenant.http.post(`${webhooks}/${id}/test`).expect(409);
      await tenant.http.delete(`${webhooks}/${id}`).expect(200);
      await tenant.http.delete(`${webhooks}/${id}`).expect(404);
      expect(await history(id)).toEqual([
        'created',
        'updated max_concurrency secret',
        // Headers are dropped with another origin.
        'updated url headers',
        'tested',
        'updated active',
        'deleted',
      ]);
    });

    it('without any value', async () => {
      const { path } = await typeWithEntry();
      await tenant.http.patch(path, { fields: { title: 'unmistakable' } }).expect(200);
      const upload = await request(app.url)
        .post(`/v1/media/${tenant.id}`)
        .set('Authorization', `Bearer ${tenant.key}`)
        .field('alt', 'unmistakable')
        .attach('file', await files.png(), 'unmistakable.png');
      await tenant.http.patch(`/v1/media/${tenant.id}/${upload.body.data.id}`, { alt: 'unmistakable too' }).expect(200);
      await tenant.http.post(`/v1/forms/${tenant.id}/erasures`, { email: 'unmistakable@example.com' }).expect(202);
      const rows = await app.database.query('SELECT * FROM audit_records WHERE tenant_id = $1', [tenant.id]);
      expect(rows).toHaveLength(6);
      expect(JSON.stringify(rows)).not.toContain('unmistakable');
    });

    it('once for a request that is repeated with its Idempotency-Key', async () => {
      const { type, path, entry } = await typeWithEntry();
      const send = (body: object) => tenant.http.post(type.entries, body).set('Idempotency-Key', 'once');
      const { body } = await send({ fields: { title: 'Again' } }).expect(201);
      await send({ fields: { title: 'Again' } }).expect(201);
      expect(await history(body.data.id as string)).toEqual(['created']);
      for (let times = 0; times < 2; times++) {
        await tenant.http
          .patch(path, { fields: { title: 'Two' } })
          .set('Idempotency-Key', 'twice')
          .expect(200);
      }
      expect(await history(entry)).toEqual(['created', 'updated title']);
    });
  });

  describe('has no record', () => {
    it('of requests that are refused, read, or change nothing', async () => {
      const { type, path, entry } = await typeWithEntry();
      const before = (await list()).length;
      await tenant.http.post(type.entries, { fields: {} }).expect(422);
      await tenant.http.patch(path, { fields: { title: null } }).expect(422);
      await tenant.http
        .patch(path, { fields: { title: 'x' } })
        .set('If-Match', '"v99"')
        .expect(412);
      await tenant.http.put(`${type.path}?dry_run=true`, { fields: [FIELDS[0]] }).expect(200);
      await tenant.http
        .post(`/v1/content/${tenant.id}/types`, { name: 'x', slug: 'article', fields: FIELDS })
        .expect(409);
      await tenant.http.delete(`${path}/draft`).expect(404);
      await tenant.http.get(path).expect(200);
      await (await keyWith(['read'])).http.delete(path).expect(403);
      expect((await list()).length).toBe(before + 1);
      expect(await history(entry)).toEqual(['created']);
    });

    it('of what a schedule does later', async () => {
      const { path, entry } = await typeWithEntry();
      const publish_at = new Date(Date.now() + 300).toISOString();
      await tenant.http.put(`${path}/schedule`, { publish_at }).expect(200);
      await until(async () => (await tenant.http.get(path)).body.data.status === 'published');
      expect(await history(entry)).toEqual(['created', 'scheduled publish_at']);
    });

    it('of a change that is rolled back, and no change is made without its record', async () => {
      const { type, path, entry } = await typeWithEntry();
      const form = await tenant.http.post(`/v1/forms/${tenant.id}`, { name: 'Form', fields: FIELDS.slice(0, 1) });
      const { http, id } = tenant;
      const formPath = `/v1/forms/${id}/${form.body.data.id}`;
      const requests = [
        () => http.post(type.entries, { fields: { title: 'New' } }),
        () => http.patch(path, { fields: { title: 'Other' } }),
        () => http.delete(path),
        () => http.put(type.path, { name: 'Other' }),
        () => http.delete(type.path),
        () =>
          http.post(`/v1/content/${id}/bulk`, {
            operations: [{ op: 'delete', content_type: type.id, entry_id: entry }],
          }),
        () => http.patch(formPath, { name: 'Other' }),
        () => http.delete(formPath),
      ];
      const alone = [
        () => http.patch(`${path}/draft`, { fields: { title: 'Other' } }),
        () => http.put(`${path}/schedule`, { publish_at: '2100-01-01T00:00:00Z' }),
        () => http.post(`/v1/keys/${id}`, { name: 'New', scopes: ['read'] }),
        () => http.post(`/v1/webhooks/${id}`, { url: 'https://127.0.0.1:1/', events: ['*'] }),
        () => http.post(`/v1/forms/${id}/erasures`, { email: 'a@example.com' }),
      ];
      const stateOf = async () => {
        const state: unknown[] = [];
        for (const table of [
          'entries',
          'content_types',
          'forms',
          'entry_drafts',
          'entry_schedules',
          'api_keys',
          'webhooks',
          'erasures',
          'audit_records',
          'events',
        ]) {
          state.push(await app.database.query(`SELECT * FROM ${table} t WHERE tenant_id = $1 ORDER BY t::text`, [id]));
        }
        return state;
      };
      const before = await stateOf();
      const broken = async (table: string, refused: (() => request.Test)[]) => {
        await app.database.query(`ALTER TABLE ${table} ADD CONSTRAINT broken CHECK (tenant_id <> '${id}') NOT VALID`);
        expectServerErrors(500);
        for (const send of refused) await send().expect(500);
        await app.database.query(`ALTER TABLE ${table} DROP CONSTRAINT broken`);
        expect(await stateOf()).toEqual(before);
      };
      await broken('audit_records', [...requests, ...alone]);
      await broken('events', requests);
    });
  });

  it('shows addresses only if the service is configured to record them', async () => {
    const type = await createType(tenant, FIELDS);
    const [record] = await list(`&resource=${type.id}`);
    expect(record).not.toHaveProperty('ip');
    const recording = await startApp({ AUDIT_IP: 'true' }, { database: app.database });
    try {
      const other = recording.tenant();
      const test = other.http.post(`/v1/forms/${other.id}`, { name: 'Form', fields: FIELDS.slice(0, 1) });
      await test.set('X-Forwarded-For', '2001:db8::7').expect(201);
      const { body } = await other.http.get(auditOf(other)).expect(200);
      expect((body.data as AuditRecord[]).map(({ ip }) => ip)).toEqual(['2001:db8::7']);
    } finally {
      await recording.close();
    }
  });

  it('keeps records for AUDIT_RETENTION, and deletes older ones in parts', async () => {
    await createType(tenant, FIELDS);
    await app.database.query(
      `INSERT INTO audit_records (tenant_id, id, actor_id, actor_name, action, resource_type, resource_id, request_id)
        SELECT $1, ($2 || right(gen_random_uuid()::text, 22))::uuid, 'key', 'key', 'created', 'entry', 'ent', 'r' FROM generate_series(1, 2500)`,
      [tenant.id, firstUuidOf(new Date(Date.now() - 11 * DAY)).slice(0, 14)],
    );
    await app.database.query(
      `INSERT INTO audit_records (tenant_id, id, actor_id, actor_name, action, resource_type, resource_id, request_id)
        VALUES ($1, $2, 'key', 'key', 'kept', 'entry', 'ent', 'r')`,
      [tenant.id, firstUuidOf(new Date(Date.now() - 9 * DAY))],
    );
    await app.get(AuditRetention).prune();
    expect((await list()).map(({ action }) => action)).toEqual(['created', 'kept']);
  });
});
