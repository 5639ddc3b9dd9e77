import { Logger } from '@nestjs/common';
import pg from 'pg';
import type { TenantServer } from './citus.js';
import { DatabaseServers } from './database-servers.js';

const AWAY = Object.assign(new Error('could not connect'), { code: '08006', severity: 'ERROR' });

/** A cluster whose servers answer, hang or refuse. */
class Cluster {
  hasCitus = true;
  isCoordinatorAway = false;
  servers: TenantServer[] = [
    { name: 'one:5432', tenantIds: ['ten_a', 'ten_b'], sampleId: 'sample 1' },
    { name: 'two:5432', tenantIds: ['ten_c'], sampleId: 'sample 2' },
  ];
  readonly hanging = new Set<string>();
  readonly refusing = new Set<string>();
  asked = 0;
  open = 0;
  private readonly held = new Map<string, (() => void)[]>();

  /** Runs the reads on the coordinator. */
  run<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    if (this.isCoordinatorAway) return Promise.reject(new Error('away'));
    const rowsOf = (text: string, [, ids]: readonly string[][] = []) => {
      if (text.includes('pg_extension')) return this.hasCitus ? [{}] : [];
      if (!text.includes('pg_dist_shard_placement')) return [{}];
      return ids?.includes('ten_a') ? this.servers.filter(({ tenantIds }) => tenantIds.length > 0) : this.servers;
    };
    const query = (text: string, values?: readonly string[][]) => Promise.resolve({ rows: rowsOf(text, values) });
    return work({ query } as unknown as pg.PoolClient);
  }

  /** Answers a question for a row on the server that has it. */
  answer(sampleId: string): Promise<unknown> {
    this.asked++;
    const { name } = this.servers.find((server) => server.sampleId === sampleId)!;
    if (this.refusing.has(name)) return Promise.reject(AWAY);
    if (!this.hanging.has(name)) return Promise.resolve({ rows: [] });
    return new Promise((resolve) => this.held.set(name, [...(this.held.get(name) ?? []), () => resolve({ rows: [] })]));
  }

  goOn(name: string): void {
    this.hanging.delete(name);
    for (const resolve of this.held.get(name) ?? []) resolve();
    this.held.delete(name);
  }
}

describe('the servers of a distributed database', () => {
  let cluster: Cluster;
  let servers: DatabaseServers;

  beforeAll(() => Logger.overrideLogger(false));
  beforeEach(() => {
    jest.useFakeTimers();
    cluster = new Cluster();
    const of = cluster;
    class Client {
      on(): void {}
      connect(): Promise<void> {
        if (of.isCoordinatorAway) return Promise.reject(new Error('away'));
        of.open++;
        return Promise.resolve();
      }
      query(_text: string, [sampleId]: string[]): Promise<unknown> {
        return of.answer(sampleId!);
      }
      end(): Promise<void> {
        of.open--;
        return Promise.resolve();
      }
    }
    jest.spyOn(pg, 'Client').mockImplementation(() => new Client() as unknown as pg.Client);
    servers = new DatabaseServers('postgres://host/name', cluster, ['ten_a', 'ten_b', 'ten_c']);
  });
  afterEach(() => {
    servers.stop();
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  /** Lets a check end, whose questions have two seconds. */
  const check = async () => {
    const checked = servers.check();
    await jest.advanceTimersByTimeAsync(2_000);
    await checked;
  };

  it('are not asked if the database has no Citus', async () => {
    cluster.hasCitus = false;
    expect(await servers.start()).toBe(false);
    await check();
    expect([cluster.asked, servers.serversAway, servers.present]).toEqual([0, 0, undefined]);
  });

  it('are asked once while all answer, and no connection stays', async () => {
    expect(await servers.start()).toBe(true);
    await jest.advanceTimersByTimeAsync(60_000);
    expect([cluster.asked, cluster.open, servers.present, servers.isAway('ten_c')]).toEqual([2, 0, undefined, false]);
  });

  it.each(['hanging', 'refusing'] as const)(
    'that are %s are away with their tenants, and the others are not',
    async (how) => {
      await servers.start();
      const changed = jest.fn();
      servers.onChange(changed);
      cluster[how].add('two:5432');
      await check();
      expect([servers.serversAway, [...servers.tenantsAway], servers.present]).toEqual([
        1,
        ['ten_c'],
        [['ten_a', 'ten_b']],
      ]);
      expect([servers.isAway('ten_a'), servers.isAway('ten_c')]).toEqual([false, true]);
      await jest.advanceTimersByTimeAsync(20_000);
      expect(changed).toHaveBeenCalledTimes(1);
      cluster.refusing.clear();
      cluster.goOn('two:5432');
      await jest.advanceTimersByTimeAsync(4_000);
      expect([servers.serversAway, servers.present, changed.mock.calls.length, cluster.open]).toEqual([
        0,
        undefined,
        2,
        0,
      ]);
    },
  );

  it('are found away at the start too', async () => {
    cluster.hanging.add('one:5432');
    const started = servers.start();
    await jest.advanceTimersByTimeAsync(2_000);
    expect(await started).toBe(true);
    expect([...servers.tenantsAway]).toEqual(['ten_a', 'ten_b']);
  });

  it('keep at most three questions that one does not answer, however long it hangs', async () => {
    await servers.start();
    cluster.hanging.add('two:5432');
    await check();
    expect(cluster.open).toBe(1);
    await jest.advanceTimersByTimeAsync(600_000);
    expect(cluster.open).toBe(3);
    cluster.goOn('two:5432');
    await jest.advanceTimersByTimeAsync(4_000);
    expect([cluster.open, servers.serversAway]).toEqual([0, 0]);
  });

  it('count as away without a tenant of this process too, because statements over all tenants need them', async () => {
    cluster.servers.push({ name: 'three:5432', tenantIds: [], sampleId: 'sample 3' });
    await servers.start();
    cluster.refusing.add('three:5432');
    await check();
    expect([servers.serversAway, servers.tenantsAway.size, servers.present]).toEqual([
      1,
      0,
      [['ten_a', 'ten_b'], ['ten_c']],
    ]);
  });

  it('stay as they were while the coordinator does not answer', async () => {
    await servers.start();
    cluster.refusing.add('two:5432');
    await check();
    cluster.isCoordinatorAway = true;
    cluster.refusing.clear();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(servers.serversAway).toBe(1);
    cluster.isCoordinatorAway = false;
    await jest.advanceTimersByTimeAsync(4_000);
    expect(servers.serversAway).toBe(0);
  });

  it('are asked by one check at a time, and by none after the end', async () => {
    await servers.start();
    await Promise.all([servers.check(), servers.check(), servers.check()]);
    expect(cluster.asked).toBe(4);
    servers.stop();
    await servers.check();
    expect(cluster.asked).toBe(4);
  });
});
