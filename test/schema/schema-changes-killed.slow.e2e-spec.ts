import pg from 'pg';
import request from 'supertest';
import { expectConsistentContent } from '../support/consistency.js';
import { itOnPlain } from '../support/it-on-plain.js';
import { useServices } from '../support/service.js';
import { until } from '../support/until.js';

const TENANTS = '[{"id":"ten_a","name":"A","api_keys":[{"key":"a-key"}]}]';
const GATE = 4_242;
/** Entries with this much text are prepared in several batches. */
const ENTRIES = 30;
const TEXT = 'x'.repeat(200_000);
const FIELDS = [
  { name: 'title', type: 'text' },
  { name: 'n', type: 'integer', unique: true },
];
const RENAMED = [
  { name: 'headline', type: 'text', renamed_from: 'title' },
  { name: 'n', type: 'text', unique: true },
];

/** Where the service is killed: in the last of the phase's statements of the kind, on the row of `when`. */
const DEATHS = [
  {
    phase: 'prepare',
    table: 'entries',
    event: 'UPDATE',
    when: `NEW.prepared_from IS NOT NULL AND NEW.fields ->> 'n' = '29'`,
  },
  { phase: 'switch', table: 'content_types', event: 'UPDATE', when: 'NEW.version <> OLD.version' },
  { phase: 'fold', table: 'entries', event: 'UPDATE', when: `NEW.prepared_from IS NULL AND NEW.fields ->> 'n' = '29'` },
  { phase: 'sweep', table: 'entry_values', event: 'DELETE', when: `OLD.field = 'n'` },
];

describe('a change of a content type whose process is killed', () => {
  const services = useServices();
  let gate: pg.Client;
  beforeEach(async () => {
    gate = new pg.Client({ connectionString: services.database.url });
    await gate.connect();
  });
  afterEach(() => gate.end());

  // The process waits at triggers, which distributed tables cannot have.
  itOnPlain.each(DEATHS)(
    'in the phase $phase is carried on by the next process',
    async ({ phase, table, event, when }) => {
      const { database } = services;
      const start = async () => {
        const service = services.start({ DATABASE_URL: database.url, TENANTS });
        const url = await service.url();
        return {
          service,
          send: (method: 'get' | 'post' | 'put', path: string) =>
            request(url)[method](path).set({ Authorization: 'Bearer a-key' }),
        };
      };
      const first = await start();
      const created = await first
        .send('post', '/v1/content/ten_a/types')
        .send({ name: `Killed ${phase}`, fields: FIELDS });
      const path = `/v1/content/ten_a/types/${created.body.data.id}`;
      const ids: string[] = [];
      for (let n = 0; n < ENTRIES; n++) {
        const entry = await first
          .send('post', `${path}/entries`)
          .send({ fields: { title: `${n} ${TEXT}`, n } })
          .expect(201);
        ids.push(entry.body.data.id);
      }
      await gate.query('SELECT pg_advisory_lock($1)', [GATE]);
      await gate.query(
        `CREATE OR REPLACE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_advisory_xact_lock(${GATE}); RETURN coalesce(NEW, OLD); END $$`,
      );
      await gate.query(
        `CREATE TRIGGER gate BEFORE ${event} ON ${table} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION wait_at_gate()`,
      );
      const { headers } = await first
        .send('put', path)
        .set({ Prefer: 'respond-async' })
        .send({ fields: RENAMED })
        .expect(202);
      await until(async () => {
        const waiting = await database.query(
          `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = ${GATE} AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
        );
        return waiting.length > 0;
      }, 240_000);
      await first.service.stop('SIGKILL');
      await gate.query(`DROP TRIGGER gate ON ${table}`);
      await gate.query('SELECT pg_advisory_unlock($1)', [GATE]);
      const [change] = await database.query<{ phase: string }>(
        `SELECT phase FROM schema_changes WHERE state = 'running'`,
      );
      expect(change?.phase).toBe(phase);
      // What the dead process has claimed is free once the claim expires.
      await database.query('UPDATE scheduled_jobs SET next_at = now()');

      const second = await start();
      const isOld = phase === 'prepare' || phase === 'switch';
      const shown = await second.send('get', `${path}/entries/${ids[0]}`).expect(200);
      if (!isOld) expect(Object.keys(shown.body.data.fields)).toEqual(['headline', 'n']);
      await until(async () => {
        const { body } = await second.send('get', headers.location ?? '').expect(200);
        return body.data.state === 'done';
      }, 240_000);
      for (const [n, id] of ids.entries()) {
        const { body } = await second.send('get', `${path}/entries/${id}`).expect(200);
        expect(body.data.fields).toEqual({ headline: `${n} ${TEXT}`, n: String(n) });
      }
      const list = await second.send('get', `${path}/entries?filter[n]=7&sort=headline`).expect(200);
      expect(list.body.meta.total).toBe(1);
      await expectConsistentContent(database, 'ten_a');
    },
    120_000,
  );
});
