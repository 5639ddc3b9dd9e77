import pg from 'pg';
import type { TestApp } from './app.js';
import { until } from './until.js';

/** Statements of a transaction that the test has opened. */
type Change = (text: string, values?: unknown[]) => Promise<unknown>;

/**
 * Locks with `lock`, sends the request, waits until it waits for the lock, runs `change` in the locking transaction and commits. Returns the answer:
 * that of a request that something has overtaken.
 */
export async function overtaken<Answer>(
  app: TestApp,
  lock: (run: Change) => Promise<unknown>,
  send: () => PromiseLike<Answer>,
  change: (run: Change) => Promise<unknown>,
): Promise<Answer> {
  const client = new pg.Client({ connectionString: app.database.url });
  await client.connect();
  const run: Change = (text, values) => client.query(text, values);
  try {
    await run('BEGIN');
    await lock(run);
    // A request is sent when somebody waits for it.
    const answer = Promise.resolve(send());
    await until(async () => (await blockedBy(client, app)) > 0);
    await change(run);
    await run('COMMIT');
    return await answer;
  } finally {
    await client.end();
  }
}

async function blockedBy(client: pg.Client, app: TestApp): Promise<number> {
  const own = (client as unknown as { processID: number }).processID;
  const text = `SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))`;
  return (await app.database.query(text, [own])).length;
}

/** Locks a person as sign-ins and changes of credentials do. */
export const lockingPerson = (id: string) => (run: Change) => run('SELECT FROM people WHERE id = $1 FOR UPDATE', [id]);

/** Locks a tenant as changes of members, roles and keys do, and announces one. */
export const lockingAccess = (tenantId: string) => (run: Change) =>
  run(
    `INSERT INTO access_versions AS v (tenant_id, version, ended) VALUES ($1, 1, 0)
      ON CONFLICT (tenant_id) DO UPDATE SET version = v.version + 1`,
    [tenantId],
  );
