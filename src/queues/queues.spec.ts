import { Logger } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { type Job, QUEUE_NAMES, type QueueName } from './job.js';
import { LocalQueue } from './local-queue.js';
import type { QueueWorker } from './queue-worker.js';
import { Queues } from './queues.js';
import type { SharedSweeps } from './shared-sweeps.js';

class Worker implements QueueWorker {
  readonly worked: string[] = [];
  isStopped = false;
  found: Job[] = [];
  task: () => Promise<void> = () => Promise.resolve();

  constructor(readonly queue: QueueName) {}

  work({ tenantId }: Job): Promise<void> {
    this.worked.push(tenantId);
    return this.task();
  }

  due(): Promise<Job[]> {
    return Promise.resolve(this.found);
  }

  stopClaiming(): void {
    this.isStopped = true;
  }

  isDue(_job: Job): Promise<boolean> {
    return Promise.resolve(false);
  }
}

class Sweeps {
  isElsewhere = false;
  finds: readonly string[] = [];
  readonly begin = jest.fn();
  readonly found = jest.fn();

  start(finds: readonly string[]): void {
    this.finds = finds;
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }
}

function build(role: Config['role'], sweeps = new Sweeps()): Queues {
  return new Queues(
    { role, tenants: [{ id: 'ten_a' }, { id: 'ten_away' }, { id: 'ten_b' }] } as unknown as Config,
    new Map(QUEUE_NAMES.map((name) => [name, new LocalQueue()])),
    sweeps as unknown as SharedSweeps,
  );
}

function start(role: Config['role'] = 'all', sweeps = new Sweeps()): { queues: Queues; worker: Worker } {
  const queues = build(role, sweeps);
  const workers = QUEUE_NAMES.map((name) => new Worker(name));
  for (const worker of workers) queues.register(worker);
  queues.onApplicationBootstrap();
  return { queues, worker: workers.find(({ queue }) => queue === 'webhooks')! };
}

describe('queues', () => {
  beforeAll(() => Logger.overrideLogger(false));
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('throw at the start when a queue has no worker or two workers', () => {
    const queues = build('all');
    queues.register(new Worker('events'));
    expect(() => queues.onApplicationBootstrap()).toThrow('webhooks');
    expect(() => queues.register(new Worker('events'))).toThrow('two workers');
  });

  it('wake a worker once for repeated wakes of a tenant', async () => {
    const { queues, worker } = start();
    for (const tenantId of ['ten_a', 'ten_b', 'ten_a', 'ten_a']) queues.wake('webhooks', { tenantId });
    await jest.advanceTimersByTimeAsync(10);
    expect(worker.worked).toEqual(['ten_a', 'ten_b']);
    await queues.beforeApplicationShutdown();
  });

  it('find scheduled jobs that no wake announced', async () => {
    const { queues, worker } = start();
    worker.found = [{ tenantId: 'ten_a' }];
    await jest.advanceTimersByTimeAsync(1_300);
    expect(worker.worked).toContain('ten_a');
    await queues.beforeApplicationShutdown();
  });

  it('are not swept while another process sweeps, and are again when it no longer does', async () => {
    const sweeps = new Sweeps();
    const { queues, worker } = start('all', sweeps);
    worker.found = [{ tenantId: 'ten_a' }];
    sweeps.isElsewhere = true;
    await jest.advanceTimersByTimeAsync(5_000);
    expect([worker.worked, sweeps.begin.mock.calls.length]).toEqual([[], 0]);
    sweeps.isElsewhere = false;
    await jest.advanceTimersByTimeAsync(1_300);
    expect(worker.worked).toContain('ten_a');
    await queues.beforeApplicationShutdown();
  });

  it('tell the other processes when a sweep begins, and when it has found work', async () => {
    const sweeps = new Sweeps();
    const { queues, worker } = start('all', sweeps);
    await jest.advanceTimersByTimeAsync(1_300);
    expect([sweeps.begin.mock.calls.length, sweeps.found.mock.calls.length]).toEqual([1, 0]);
    worker.found = [{ tenantId: 'ten_a' }];
    await jest.advanceTimersByTimeAsync(1_300);
    expect(sweeps.found).toHaveBeenCalled();
    expect(sweeps.finds).toEqual([...QUEUE_NAMES]);
    await queues.beforeApplicationShutdown();
  });

  it('continue when work fails', async () => {
    const { queues, worker } = start();
    worker.task = () => Promise.reject(new Error('broken'));
    queues.wake('webhooks', { tenantId: 'ten_a' });
    await jest.advanceTimersByTimeAsync(10);
    queues.wake('webhooks', { tenantId: 'ten_a' });
    await jest.advanceTimersByTimeAsync(10);
    expect(worker.worked).toEqual(['ten_a', 'ten_a']);
    await queues.beforeApplicationShutdown();
  });

  it('do no work in a process with the role api', async () => {
    const { queues, worker } = start('api');
    worker.found = [{ tenantId: 'ten_a' }];
    queues.wake('webhooks', { tenantId: 'ten_a' });
    await jest.advanceTimersByTimeAsync(3_000);
    expect(worker.worked).toEqual([]);
    await queues.beforeApplicationShutdown();
  });

  it('claim no work after stopClaiming, even before the shutdown of the modules', async () => {
    const { queues, worker } = start();
    queues.stopClaiming();
    worker.found = [{ tenantId: 'ten_a' }];
    queues.wake('webhooks', { tenantId: 'ten_b' });
    await jest.advanceTimersByTimeAsync(3_000);
    expect([worker.isStopped, worker.worked]).toEqual([true, []]);
    await queues.beforeApplicationShutdown();
  });

  it('are swept tenant by tenant while a part of the database is away, and the tenants there are skipped', async () => {
    const { queues, worker } = start();
    const away = Object.assign(new Error(), { code: '08006', severity: 'ERROR' });
    worker.due = () => Promise.reject(away);
    worker.isDue = ({ tenantId }: Job) =>
      tenantId === 'ten_away' ? Promise.reject(away) : Promise.resolve(tenantId === 'ten_b');
    expect(await queues.dueOf(worker)).toEqual([{ tenantId: 'ten_b' }]);
    worker.due = () => Promise.resolve([{ tenantId: 'ten_a' }]);
    expect(await queues.dueOf(worker)).toEqual([{ tenantId: 'ten_a' }]);
    await queues.beforeApplicationShutdown();
  });

  it('wait for the work in progress at the shutdown, and start no more', async () => {
    const { queues, worker } = start();
    let finish = () => {};
    worker.task = () => new Promise((resolve) => (finish = resolve));
    queues.wake('webhooks', { tenantId: 'ten_a' });
    await jest.advanceTimersByTimeAsync(10);
    let ended = false;
    const ending = queues.beforeApplicationShutdown().then(() => (ended = true));
    queues.wake('webhooks', { tenantId: 'ten_b' });
    await jest.advanceTimersByTimeAsync(2_000);
    expect([ended, worker.worked]).toEqual([false, ['ten_a']]);
    finish();
    await ending;
    expect(worker.worked).toEqual(['ten_a']);
  });
});
