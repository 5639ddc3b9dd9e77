import { setTimeout as sleep } from 'node:timers/promises';
import { type DynamicModule, Injectable } from '@nestjs/common';
import { Backlog } from '../../src/backlog/backlog.js';
import { Database } from '../../src/database/database.js';
import { ScheduledJobsModule } from '../../src/scheduled-jobs/scheduled-jobs.module.js';
import {
  type ScheduledJobHandler,
  type ScheduledJob,
  ScheduledJobs,
  HandlesScheduledJobs,
} from '../../src/scheduled-jobs/scheduled-jobs.js';
import { newUuid } from '../../src/ids/type-id.js';
import { startApp, type TestApp } from '../support/app.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { until } from '../support/until.js';

type Attempt = (tenantId: string, item: ScheduledJob) => Promise<void>;

/** Work of the kind `test`. Each test decides what an attempt does before the commit. */
@Injectable()
@HandlesScheduledJobs(['test'])
class TestHandler implements ScheduledJobHandler {
  /** The keys of the attempts, in order, and of those that were committed. */
  readonly attempts: string[] = [];
  readonly effects: string[] = [];
  before: Attempt = () => Promise.resolve();

  constructor(
    private readonly scheduledJobs: ScheduledJobs,
    private readonly database: Database,
  ) {}

  async carryOut(tenantId: string, item: ScheduledJob): Promise<void> {
    this.attempts.push(item.id);
    await this.before(tenantId, item);
    await this.database.transaction(tenantId, (transaction) => this.scheduledJobs.settle(transaction, tenantId, item));
    this.effects.push(item.id);
  }
}

const MODULE: DynamicModule = {
  module: class TestHandlerModule {},
  imports: [ScheduledJobsModule],
  providers: [TestHandler],
};

describe('work that is due', () => {
  let database: TestDatabase;
  let app: TestApp;
  let handler: TestHandler;
  let tenantId: string;

  beforeEach(async () => {
    database = await createDatabase();
    app = await startApp({}, { database, modules: [MODULE] });
    handler = app.get(TestHandler);
    tenantId = app.tenant().id;
  });
  afterEach(async () => {
    await app.close();
    await database.drop();
  });

  /** Puts `count` pieces of work that are due after `ms`. Returns their keys. */
  const put = async ({ count = 1, ms = 0, tenant = tenantId, kind = 'test' } = {}): Promise<string[]> => {
    const keys = Array.from({ length: count }, () => newUuid());
    await database.query(
      `INSERT INTO scheduled_jobs (tenant_id, kind, key, due_at, next_at, attempts)
        SELECT $1, $2, key, now() + $4 * interval '1 ms', now() + $4 * interval '1 ms', 0 FROM unnest($3::uuid[]) AS key`,
      [tenant, kind, keys, ms],
    );
    return keys;
  };
  const rows = () =>
    database.query<{ key: string; claim: string | null; attempts: number; due_at: Date; next_at: Date }>(
      'SELECT * FROM scheduled_jobs ORDER BY key',
    );
  const isDone = async () => (await rows()).length === 0;

  it('is carried out once, at its time', async () => {
    const [late] = await put({ ms: 5_000 });
    const keys = await put({ count: 100 });
    await until(async () => (await rows()).length === 1);
    expect([...handler.effects].sort()).toEqual([...keys].sort());
    await until(isDone);
    expect(handler.effects.at(-1)).toBe(late);
    expect(handler.attempts.length).toBe(101);
  });

  it('is tried again after a pause if its handler fails, and does not stop others', async () => {
    const [failing, ...others] = await put({ count: 20 });
    handler.before = (_tenant, { id, attempts }) => {
      if (id === failing && attempts === 0) throw new Error('The first attempt fails.');
      return Promise.resolve();
    };
    await until(async () => (await rows()).length === 1);
    expect([...handler.effects].sort()).toEqual([...others].sort());
    await until(async () => (await rows())[0]?.attempts !== 0);
    await until(isDone);
    expect(handler.attempts.filter((key) => key === failing)).toHaveLength(2);
  });

  it('has one effect if its claim expires during an attempt', async () => {
    let first = () => {};
    const blocked = new Promise<void>((resolve) => (first = resolve));
    handler.before = () => (handler.attempts.length === 1 ? blocked : Promise.resolve());
    const [key] = await put();
    await until(() => Promise.resolve(handler.attempts.length === 1));
    await database.query('UPDATE scheduled_jobs SET next_at = now()');
    await until(isDone);
    first();
    await sleep(200);
    expect([handler.attempts, handler.effects]).toEqual([[key, key], [key]]);
  });

  it('is found again after a crash, when the claim expires', async () => {
    const [key] = await put({ ms: 60_000 });
    await database.query(`UPDATE scheduled_jobs SET claim = $1::uuid, next_at = now() + interval '1 second'`, [
      newUuid(),
    ]);
    await until(isDone);
    expect(handler.effects).toEqual([key]);
  });

  it('is released if the worker ends before the attempt', async () => {
    let release = () => {};
    const blocked = new Promise<void>((resolve) => (release = resolve));
    handler.before = () => blocked;
    await put({ count: 50 });
    await until(() => Promise.resolve(handler.attempts.length > 0));
    expect((await rows()).some(({ claim }) => claim !== null)).toBe(true);
    const closed = app.close();
    release();
    await closed;
    const left = await rows();
    expect(left.length).toBe(50 - handler.effects.length);
    expect(left.filter(({ claim }) => claim !== null)).toEqual([]);
    expect(left.every(({ due_at, next_at }) => due_at.getTime() === next_at.getTime())).toBe(true);
    app = await startApp({}, { database, modules: [MODULE] });
    await until(isDone);
  });

  it('of one tenant does not wait for the thousands of another', async () => {
    handler.before = () => sleep(20);
    await put({ count: 3_000 });
    await until(() => Promise.resolve(handler.effects.length > 10));
    const [key = ''] = await put({ tenant: app.tenant().id });
    await until(() => Promise.resolve(handler.effects.includes(key)), 3_000);
    expect((await rows()).length).toBeGreaterThan(1_000);
    await database.query('DELETE FROM scheduled_jobs');
  });

  it('of a kind without a handler stays', async () => {
    await put({ kind: 'unknown' });
    await put();
    await until(async () => (await rows()).length === 1);
    await sleep(1_500);
    expect(await rows()).toMatchObject([{ kind: 'unknown', claim: null, attempts: 0 }]);
  });

  it('and is late is counted in the backlog, and work of a later time is not', async () => {
    handler.before = () => Promise.reject(new Error('The service is away.'));
    await put({ ms: 60_000 });
    await put({ count: 2 });
    await until(async () => (await rows()).filter(({ attempts }) => attempts > 0).length === 2);
    const { due } = await app.get(Backlog).waiting();
    expect(due.all).toMatchObject({ pending: 2, failing: 2 });
    const { text } = await app.client().get('/metrics').expect(200);
    expect(text).toMatch(/^trivet_scheduled_jobs_pending 2$/m);
    expect(text).toMatch(/^trivet_scheduled_jobs_oldest_seconds \d/m);
  });
});
