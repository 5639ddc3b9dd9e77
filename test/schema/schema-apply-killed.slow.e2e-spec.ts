import pg from 'pg';
import request from 'supertest';
import { itOnPlain } from '../support/it-on-plain.js';
import { useServices } from '../support/service.js';
import { until } from '../support/until.js';

const TENANTS = '[{"id":"ten_a","name":"A","api_keys":[{"key":"a-key"}]}]';
const GATE = 4_243;
const TITLE = { name: 'title', type: 'text' };
const OLD = {
  types: [
    { name: 'Gone', slug: 'gone', fields: [TITLE] },
    { name: 'Post', slug: 'post', fields: [TITLE] },
  ],
  forms: [{ name: 'Contact', slug: 'contact', fields: [{ name: 'a', type: 'text' }] }],
  webhooks: [],
};
const NEW = {
  types: [
    { name: 'New', slug: 'new', fields: [{ name: 'post', type: 'reference', content_type: 'post' }] },
    { name: 'Article', slug: 'post', fields: [TITLE, { name: 'text', type: 'rich_text' }] },
  ],
  forms: [{ name: 'Letters', slug: 'contact', fields: [{ name: 'b', type: 'text' }] }],
  webhooks: [{ url: 'https://hooks.example.com/a', events: ['*'] }],
};
/** The statements at which the service is killed: after others have run, and at the last one. */
const DEATHS = ['UPDATE ON forms', 'INSERT ON webhooks', 'DELETE ON content_types'];

describe('a service that is killed while it applies a schema', () => {
  const services = useServices();
  let gate: pg.Client;
  beforeEach(async () => {
    gate = new pg.Client({ connectionString: services.database.url });
    await gate.connect();
  });
  afterEach(() => gate.end());

  // The process waits at triggers, which distributed tables cannot have.
  itOnPlain.each(DEATHS)(
    'leaves the old schema at %s',
    async (event) => {
      const { database } = services;
      const start = async () => {
        const service = services.start({ DATABASE_URL: database.url, TENANTS });
        const url = await service.url();
        const send = (path: string, body: object) =>
          request(url).post(`/v1/schema/ten_a/${path}`).set({ Authorization: 'Bearer a-key' }).send(body);
        const push = async (document: object) => {
          const body = { document, prune: true, allow_lossy: true };
          const planned = await send('plan', body).expect(200);
          return send('apply', { ...body, hash: planned.body.data.hash });
        };
        const read = async () => {
          const { body } = await request(url)
            .get('/v1/schema/ten_a')
            .set({ Authorization: 'Bearer a-key' })
            .expect(200);
          return body.data as object;
        };
        return { service, push, read };
      };
      const first = await start();
      expect((await first.push(OLD)).status).toBe(200);
      await gate.query('SELECT pg_advisory_lock($1)', [GATE]);
      await gate.query(
        `CREATE OR REPLACE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_advisory_xact_lock(${GATE}); RETURN coalesce(NEW, OLD); END $$`,
      );
      await gate.query(`CREATE TRIGGER gate BEFORE ${event} FOR EACH ROW EXECUTE FUNCTION wait_at_gate()`);
      const pushed = first.push(NEW).catch(() => undefined);
      await until(async () => {
        const waiting = await database.query(
          `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = ${GATE} AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
        );
        return waiting.length > 0;
      });
      await first.service.stop('SIGKILL');
      await pushed;
      await gate.query('SELECT pg_advisory_unlock($1)', [GATE]);
      await gate.query(`DROP TRIGGER gate ON ${event.split(' ').at(-1)}`);

      const second = await start();
      expect(await second.read()).toMatchObject(OLD);
      expect((await second.push(NEW)).status).toBe(200);
      expect(await second.read()).toMatchObject(NEW);
      await second.service.stop('SIGTERM');
    },
    120_000,
  );
});
