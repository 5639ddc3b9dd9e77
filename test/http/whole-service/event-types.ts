import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { eventTypes } from '../../../src/modules/installed-modules.js';
import { readDocument } from '../../support/api.js';
import type { TestApp, TestTenant } from '../../support/app.js';
import { createDrafts, createType } from '../../support/content.js';
import { storedEvents } from '../../support/stored-events.js';
import { until } from '../../support/until.js';
import { played } from './played.js';

const PATH = '/v1/event-types';

interface Described {
  type: string;
  description: string;
  schema: { $schema: string };
  example: { type: string };
}

interface FeedEvent {
  type: string;
  data: Record<string, unknown> | null;
}

describe('the event types', () => {
  let app: TestApp;
  let types: Described[];
  beforeAll(async () => {
    ({ app } = played);
    types = (await app.client().get(PATH).expect(200)).body.data;
  });

  /** The errors of an event, by the schema of its type. */
  const faults = (() => {
    const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, strictRequired: false });
    addFormats.default(ajv);
    return (event: { type: string }): string[] => {
      const validate =
        ajv.getSchema(event.type) ?? ajv.addSchema(schemaOf(event.type), event.type).getSchema(event.type);
      if (!validate) return [`${event.type} has no schema`];
      void validate(event);
      return (validate.errors ?? []).map(({ instancePath, message }) => `${event.type} ${instancePath} ${message}`);
    };
  })();
  const schemaOf = (type: string) => types.find((one) => one.type === type)?.schema ?? {};
  const feedOf = async (tenant: TestTenant): Promise<FeedEvent[]> => {
    const events: FeedEvent[] = [];
    for (let cursor = ''; ;) {
      const path = `/v1/events/${tenant.id}?per_page=100&cursor=${cursor}`;
      const { data, meta } = (await tenant.http.get(path).expect(200)).body;
      if (data.length === 0) return events;
      events.push(...data);
      cursor = meta.next_cursor;
    }
  };

  it('are listed for everyone, each with a description', () => {
    expect(types.map(({ type }) => type)).toEqual(eventTypes());
    expect(types.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['entry.published', 'content_type.created', 'submission.deleted', 'webhook.failing']),
    );
    for (const { type, description } of types)
      expect([type, description]).toEqual([type, expect.stringMatching(/\.$/)]);
  });

  it('can be cached, and are not sent again to a client that has them', async () => {
    const { headers } = await app.client().get(PATH).expect(200);
    expect(headers['cache-control']).toBe('public, max-age=300, stale-while-revalidate=300');
    expect(headers['access-control-allow-origin']).toBe('*');
    await app
      .client('', { 'If-None-Match': headers['etag'] ?? '' })
      .get(PATH)
      .expect(304);
    await app.client('', { 'If-None-Match': '"another"' }).get(PATH).expect(200);
    await app.client().get(`${PATH}?page=1`).expect(400);
  });

  it('have schemas of JSON Schema 2020-12, which the examples match', () => {
    for (const { type, schema, example } of types) {
      expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
      expect(example.type).toBe(type);
      expect(faults(example)).toEqual([]);
      expect(faults({ ...example, data: {} } as Described['example'])).not.toEqual([]);
      expect(JSON.stringify(schema)).not.toContain('#/components/');
    }
  });

  it('are the webhooks of the OpenAPI document', async () => {
    const { openapi, webhooks } = (await readDocument(app)) as { openapi: string; webhooks?: Record<string, object> };
    expect(openapi).toBe('3.1.0');
    expect(Object.keys(webhooks ?? {})).toEqual(eventTypes());
    const examples = Object.values(webhooks ?? {}).map(
      (item) =>
        (item as { post: { requestBody: { content: { 'application/json': { example: object } } } } }).post.requestBody
          .content['application/json'].example,
    );
    expect(examples).toEqual(types.map(({ example }) => example));
  });

  it('have schemas that real events match', async () => {
    const events = await feedOf(played.mine.tenant);
    expect(new Set(events.map(({ type }) => type)).size).toBeGreaterThan(10);
    // The events of deleted submissions stay in the feed without their data.
    expect(events.filter(({ data }) => data === null).map(({ type }) => type)).toContain('form.submitted');
    expect(events.flatMap(faults)).toEqual([]);
  }, 60_000);

  describe('of content types', () => {
    let tenant: TestTenant;
    beforeEach(() => {
      tenant = app.tenant();
    });
    const recorded = async () =>
      (await storedEvents(app, tenant.id))
        .filter(({ type }) => !type.startsWith('entry.'))
        .map(({ type, data }) => ({ type, data: JSON.parse(data) as Record<string, unknown> }));

    it('have the content type as its get endpoint returns it; a deletion has the last state', async () => {
      const type = await createType(tenant, [{ name: 'title', type: 'text' }]);
      const created = (await tenant.http.get(type.path).expect(200)).body.data;
      await tenant.http.put(type.path, { name: 'Story', language: 'en', public: true }).expect(200);
      const updated = (await tenant.http.get(type.path).expect(200)).body.data;
      await createDrafts(tenant, type, { title: 'a' });
      await tenant.http.delete(type.path).expect(200);
      expect(await recorded()).toEqual([
        { type: 'content_type.created', data: created },
        { type: 'content_type.updated', data: updated },
        { type: 'content_type.deleted', data: updated },
      ]);
      const events = await feedOf(tenant);
      expect(events.map(({ type: one }) => one).slice(-2)).toEqual(['entry.deleted', 'content_type.deleted']);
      // The events of deleted submissions stay in the feed without their data.
      expect(events.filter(({ data }) => data !== null).flatMap(faults)).toEqual([]);
    });

    it('are not recorded for a change that is refused or only planned', async () => {
      const type = await createType(tenant, [{ name: 'title', type: 'text' }]);
      const types = `/v1/content/${tenant.id}/types`;
      await tenant.http
        .post(types, { name: 'Other', slug: 'article', fields: [{ name: 'a', type: 'text' }] })
        .expect(409);
      await tenant.http.put(type.path, { fields: 'none' }).expect(422);
      await tenant.http.put(`${type.path}?dry_run=true`, { name: 'Story' }).expect(200);
      await tenant.http.put(type.path, { name: 'Story' }).set('If-Match', '"v99"').expect(412);
      expect((await recorded()).map((event) => event.type)).toEqual(['content_type.created']);
    });

    it('are recorded once for a type whose generated slug was taken at first', async () => {
      await createType(tenant, [{ name: 'title', type: 'text' }]);
      await createType(tenant, [{ name: 'title', type: 'text' }]);
      expect((await recorded()).map(({ data }) => data['slug'])).toEqual(['article', 'article-2']);
    });

    it('are recorded when a change in the background becomes visible', async () => {
      const type = await createType(tenant, [{ name: 'title', type: 'text' }]);
      await createDrafts(tenant, type, { title: 'a' });
      const fields = [{ name: 'headline', type: 'text', renamed_from: 'title' }];
      await tenant.http.put(type.path, { fields }).set('Prefer', 'respond-async').expect(202);
      const event = await until(async () => (await recorded()).find((one) => one.type === 'content_type.updated'));
      expect(event.data).toEqual((await tenant.http.get(type.path).expect(200)).body.data);
      expect(event.data['fields']).toEqual([{ name: 'headline', type: 'text' }]);
      await until(
        async () => (await tenant.http.get(`${type.entries}?sort=headline`).expect(200)).body.meta.total === 1,
      );
      expect((await recorded()).filter((one) => one.type === 'content_type.updated')).toHaveLength(1);
    });

    it('are not recorded for a change in the background that stored values block', async () => {
      const type = await createType(tenant, [{ name: 'title', type: 'text' }]);
      await createDrafts(tenant, type, { title: 'not a number' });
      const fields = [{ name: 'title', type: 'number' }];
      const { headers } = await tenant.http.put(type.path, { fields }).set('Prefer', 'respond-async').expect(202);
      await until(
        async () => (await tenant.http.get(headers['location'] ?? '').expect(200)).body.data.state === 'failed',
      );
      expect((await recorded()).map((event) => event.type)).toEqual(['content_type.created']);
    });
  });
});
