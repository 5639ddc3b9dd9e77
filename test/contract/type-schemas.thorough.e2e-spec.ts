import fc from 'fast-check';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { createType } from '../support/content.js';
import { files } from '../support/files.js';
import { propertyRuns } from '../support/property-runs.js';
import { definitionLists, valuesOf } from '../support/random-values.js';

describe('the JSON Schema of a content type', () => {
  let app: TestApp;
  let tenant: TestTenant;
  beforeAll(async () => {
    app = await startApp();
  });
  beforeEach(() => {
    tenant = app.tenant();
  });
  afterAll(() => app.close());

  it('is found by the ID and by the slug, as the content type itself', async () => {
    const type = await createType(tenant, [{ name: 'title', type: 'text', required: true }], 'Post');
    await app.client().get(`${type.path}/schema.json`).expect(401);
    await tenant.http.get(`/v1/content/${tenant.id}/types/none/schema.json`).expect(404);
    const { body, headers } = await tenant.http.get(`/v1/content/${tenant.id}/types/post/schema.json`).expect(200);
    expect(headers['content-type']).toBe('application/schema+json; charset=utf-8');
    expect(body).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'Post',
      type: 'object',
      properties: { title: { type: 'string' } },
      required: ['title'],
      additionalProperties: false,
    });
    await app.client(`Bearer ${tenant.publishedKey}`).get(`${type.path}/schema.json`).expect(200);
  });

  it('has an ETag that changes with the fields only', async () => {
    const type = await createType(tenant, [{ name: 'title', type: 'text' }], 'Post');
    const { headers } = await tenant.http.get(`${type.path}/schema.json`).expect(200);
    await tenant.http.post(type.entries, { fields: { title: 'A' } }).expect(201);
    await tenant.http.put(type.path, { public: true }).expect(200);
    const client = app.client(`Bearer ${tenant.key}`, { 'If-None-Match': headers['etag'] ?? '' });
    await client.get(`${type.path}/schema.json`).expect(304);
    await tenant.http.put(type.path, { fields: [{ name: 'title', type: 'text', max: 9 }] }).expect(200);
    await client.get(`${type.path}/schema.json`).expect(200);
  });

  it('accepts files by their ID, and URLs of the service', async () => {
    const { body } = await tenant.http
      .post(`/v1/media/${tenant.id}`)
      .attach('file', await files.png(), 'a.png')
      .expect(201);
    const type = await createType(tenant, [{ name: 'cover', type: 'media' }]);
    const { body: schema } = await tenant.http.get(`${type.path}/schema.json`).expect(200);
    const validate = new Ajv2020().compile(schema);
    const { id, url } = body.data;
    for (const [cover, isValid] of [
      [{ id }, true],
      [{ id, alt: null }, true],
      [{ id, url: null, alt: 'A' }, true],
      [{ url, alt: 'A' }, true],
      [{ id, url, alt: 'A' }, false],
      [{ id: 'ent_01j9zt5k8h0000000000000000' }, false],
      [{ url }, false],
    ] as const) {
      expect([cover, validate({ cover })]).toEqual([cover, isValid]);
      await tenant.http.post(type.entries, { fields: { cover } }).expect(isValid ? 201 : 422);
    }
  });

  it('is valid for exactly the values that Create accepts, as far as JSON Schema can say it', async () => {
    const cases = definitionLists.chain((fields) =>
      fc.record({ fields: fc.constant(fields), values: fc.array(valuesOf(fields), { minLength: 30, maxLength: 30 }) }),
    );
    const { entries: authors } = await createType(tenant, [{ name: 'name', type: 'text' }], 'Author');
    await tenant.http.post(authors, { fields: {} }).expect(201);
    const counts = { accepted: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(cases, async ({ fields, values }) => {
        const { status, body } = await tenant.http.post(`/v1/content/${tenant.id}/types`, { name: 'Random', fields });
        fc.pre(status === 201);
        const { body: schema } = await tenant.http
          .get(`/v1/content/${tenant.id}/types/${body.data.slug}/schema.json`)
          .expect(200);
        const validate = new Ajv2020({ ownProperties: true }).compile(schema);
        const operations = values.map((one) => ({ op: 'create', content_type: body.data.id, fields: one }));
        // The limit of a body is no matter of the schema.
        fc.pre(JSON.stringify(operations).length < 500_000);
        const { body: answer } = await tenant.http
          .post(`/v1/content/${tenant.id}/bulk`, { operations, atomic: false, dry_run: true })
          .expect(200);
        for (const [index, one] of values.entries()) {
          const isAccepted = isCreated(answer.data[index]);
          counts[isAccepted ? 'accepted' : 'refused']++;
          expect([fields, one, validate(one)]).toEqual([fields, one, isAccepted]);
        }
      }),
      { numRuns: propertyRuns(12) },
    );
    expect(Math.min(counts.accepted, counts.refused)).toBeGreaterThan(20);
  }, 120_000);
});

interface Result {
  result: string;
  problem?: { errors?: { code: string }[] };
}

/** Whether the values are accepted, apart from references to entries that do not exist. */
function isCreated({ result, problem }: Result): boolean {
  return result === 'created' || (problem?.errors ?? [{ code: 'none' }]).every(({ code }) => code === 'reference');
}
