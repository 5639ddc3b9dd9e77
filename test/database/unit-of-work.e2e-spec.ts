import { Database } from '../../src/database/database.js';
import { afterCommit, outsideUnitOfWork } from '../../src/database/unit-of-work.js';
import { statement } from '../../src/database/statements/statement.js';
import { violatedConstraint } from '../../src/errors/database-problem.js';
import { startApp, type TestApp } from '../support/app.js';

const ADD = statement<{ slug: string }, { slug: string }>()(
  'test.add_type',
  `INSERT INTO content_types (tenant_id, id, name, slug, fields, retired, targets, version, created_at, updated_at)
    VALUES (:tenantId, gen_random_uuid(), 'Test', :slug, '[]', '[]', '{}', 1, now(), now()) RETURNING slug`,
);
const LIST = statement<Record<never, never>, { slug: string }>()(
  'test.list_types',
  'SELECT slug FROM content_types WHERE tenant_id = :tenantId ORDER BY slug',
);

describe('statements that share one commit', () => {
  let app: TestApp;
  let database: Database;
  let tenantId: string;
  beforeAll(async () => {
    app = await startApp();
    database = app.get(Database);
  });
  afterAll(() => app.close());
  beforeEach(() => {
    tenantId = app.tenant().id;
  });

  const add = (slug: string) => database.query(tenantId, ADD, { slug });
  const slugs = async () => (await database.query(tenantId, LIST, {})).map(({ slug }) => slug);
  const stored = async () => {
    const rows = await app.database.query<{ slug: string }>(
      'SELECT slug FROM content_types WHERE tenant_id = $1 ORDER BY slug',
      [tenantId],
    );
    return rows.map(({ slug }) => slug);
  };
  // The service's own work may hold other connections at any time.
  const open = async () => {
    const rows = await app.database.query(
      `SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND state = 'idle in transaction' AND query LIKE '%content_types%'`,
    );
    return rows.length;
  };
  const nothing = () => Promise.resolve();
  const inUnitOfWork = <Result>(work: (end: () => Promise<void>) => Promise<Result>) =>
    database.inUnitOfWork({ tenantId, share: tenantId, enter: nothing }, (end) => work(() => end(nothing)));

  it('see their own writes, which others see after the end', async () => {
    await inUnitOfWork(async (end) => {
      expect(await slugs()).toEqual([]);
      expect(await open()).toBe(0);
      await add('a');
      expect([await slugs(), await stored(), await open()]).toEqual([['a'], [], 1]);
      expect(await outsideUnitOfWork(() => slugs())).toEqual([]);
      await end();
      expect(await slugs()).toEqual(['a']);
    });
    expect([await stored(), await open()]).toEqual([['a'], 0]);
  });

  it('are rolled back after an error, and without an end', async () => {
    const failed = inUnitOfWork(async () => {
      await add('a');
      throw new Error('failed');
    });
    await expect(failed).rejects.toThrow('failed');
    await inUnitOfWork(() => add('b'));
    expect([await stored(), await open()]).toEqual([[], 0]);
  });

  it('are undone one by one if they fail, in the order in which they were started', async () => {
    await inUnitOfWork(async (end) => {
      const results = await Promise.allSettled([add('a'), add('a'), add('b'), add('b'), add('c')]);
      expect(results.map(({ status }) => status)).toEqual([
        'fulfilled',
        'rejected',
        'fulfilled',
        'rejected',
        'fulfilled',
      ]);
      await end();
    });
    expect(await stored()).toEqual(['a', 'b', 'c']);
  });

  it('are part of transactions, which are undone as a whole', async () => {
    await inUnitOfWork(async (end) => {
      const two = (one: string, other: string) =>
        database.transaction(tenantId, async (transaction) => {
          await transaction.query(tenantId, ADD, { slug: one });
          // On another path, it joins the same transaction.
          await add(other);
        });
      await two('a', 'b');
      const failure: unknown = await two('c', 'b').catch((error: unknown) => error);
      expect(violatedConstraint(failure)).toBe('content_types_slug');
      await end();
    });
    expect(await stored()).toEqual(['a', 'b']);
  });

  it('of a lost attempt are undone, and hold no connection', async () => {
    await inUnitOfWork(async (end) => {
      const lost = await database.attempt(tenantId, async () => {
        await add('a');
        void afterCommit(() => {
          throw new Error('The attempt was undone.');
        });
        return undefined;
      });
      expect([lost, await open()]).toEqual([undefined, 0]);
      await add('b');
      expect(await database.attempt(tenantId, () => add('c').then(() => undefined))).toBeUndefined();
      expect(await database.attempt(tenantId, () => add('d'))).toEqual([{ slug: 'd' }]);
      expect(await slugs()).toEqual(['b', 'd']);
      await end();
    });
    expect(await stored()).toEqual(['b', 'd']);
  });

  it('are committed before their effects, in order', async () => {
    const effects: string[] = [];
    const note = async (name: string) => void effects.push(`${name} ${(await stored()).join()}`);
    await inUnitOfWork(async (end) => {
      void afterCommit(() => note('first'));
      await add('a');
      void afterCommit(() => note('second'));
      expect(effects).toEqual([]);
      await end();
      expect(effects).toEqual(['first a', 'second a']);
    });
    void afterCommit(() => void effects.push('at once'));
    expect(effects).toHaveLength(3);
  });
});
