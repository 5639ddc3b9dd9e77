import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { until } from './until.js';

/** Defines tests that start servers of Redis. Without its program, they are skipped and listed by name. */
export function describeWithRedisServer(name: string, tests: () => void): void {
  const { status } = spawnSync('redis-server', ['--version']);
  if (status === 0) describe(name, tests);
  else describe(name, () => it.skip('needs the program redis-server', () => undefined));
}

/** Servers of Redis that a test starts. */
export class RedisServers {
  private readonly running = new Map<number, ChildProcess>();

  private constructor(private readonly directory: string) {}

  static async create(): Promise<RedisServers> {
    return new RedisServers(await mkdtemp(join(tmpdir(), 'trivet-redis-')));
  }

  /** Starts three nodes that share the slots. Returns the URL of the cluster. */
  async cluster(): Promise<string> {
    const ports: number[] = [];
    for (let node = 0; node < 3; node++) {
      const port = await this.start(['--cluster-enabled', 'yes', '--cluster-config-file', `nodes-${node}.conf`]);
      await this.send(port, 'CLUSTER', 'ADDSLOTSRANGE', node * 5_462, Math.min(16_383, (node + 1) * 5_462 - 1));
      ports.push(port);
    }
    const [first = 0, ...others] = ports;
    for (const port of others) await this.send(first, 'CLUSTER', 'MEET', '127.0.0.1', port);
    for (const port of ports) {
      await until(async () => String(await this.send(port, 'CLUSTER', 'INFO')).includes('cluster_state:ok'));
      await until(async () => String(await this.send(port, 'CLUSTER', 'INFO')).includes('cluster_known_nodes:3'));
    }
    return `redis+cluster://${ports.map((port) => `127.0.0.1:${port}`).join(',')}`;
  }

  /** Starts a master with a replica, and a sentinel. Returns the URL and the port of the master. */
  async sentinel(): Promise<{ url: string; master: number }> {
    const master = await this.start([]);
    const replica = await this.start(['--replicaof', '127.0.0.1', String(master)]);
    await until(async () => String(await this.send(replica, 'INFO')).includes('master_link_status:up'));
    const file = join(this.directory, 'sentinel.conf');
    const name = 'trivet-test';
    await writeFile(
      file,
      `sentinel monitor ${name} 127.0.0.1 ${master} 1
       sentinel down-after-milliseconds ${name} 500
       sentinel failover-timeout ${name} 3000\n`.replace(/^ +/gm, ''),
    );
    const sentinel = await this.start(['--sentinel'], file);
    await until(async () => String(await this.send(sentinel, 'INFO')).includes('slaves=1'));
    return { url: `redis+sentinel://127.0.0.1:${sentinel}/${name}`, master };
  }

  async kill(port: number): Promise<void> {
    const child = this.running.get(port);
    if (!child) return;
    this.running.delete(port);
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async end(): Promise<void> {
    for (const port of [...this.running.keys()]) await this.kill(port);
    await rm(this.directory, { recursive: true, force: true });
  }

  private async start(options: string[], file?: string): Promise<number> {
    const port = await freePort();
    const flags = ['--port', String(port), '--bind', '127.0.0.1', '--dir', this.directory];
    const storage = options.includes('--sentinel') ? [] : ['--save', '', '--appendonly', 'no'];
    const child = spawn('redis-server', [...(file ? [file] : []), ...flags, ...storage, ...options], {
      stdio: 'ignore',
    });
    this.running.set(port, child);
    await until(() =>
      this.send(port, 'PING').then(
        () => true,
        () => false,
      ),
    );
    return port;
  }

  private async send(port: number, command: string, ...values: (string | number)[]): Promise<unknown> {
    const redis = new Redis(port, '127.0.0.1', { lazyConnect: true, retryStrategy: () => null });
    redis.on('error', () => undefined);
    try {
      await redis.connect();
      return await redis.call(command, ...values);
    } finally {
      redis.disconnect();
    }
  }
}

/** The bus of a cluster uses the port that is greater by 10,000. */
async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    if (port < 55_000) return port;
  }
}
