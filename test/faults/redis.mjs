/** A separate Redis without persistence: it is empty after a restart. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Redis as Client } from 'ioredis';
import { freePort, startProgram } from '../../bench/processes.mjs';
import { until } from './until.mjs';

export class Redis {
  /** Whether redis-server is installed. */
  static isInstalled() {
    try {
      execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  }

  static async start(folder) {
    const redis = new Redis(folder, await freePort());
    await redis.start();
    return redis;
  }

  constructor(folder, port) {
    this.folder = folder;
    this.port = port;
    this.url = `redis://127.0.0.1:${port}`;
  }

  async start() {
    const options = { bind: '127.0.0.1', port: this.port, dir: this.folder, save: '', appendonly: 'no' };
    const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
    this.running = startProgram('redis-server', flags, {
      env: { PATH: process.env.PATH },
      logFile: join(this.folder, 'redis.log'),
    });
    await until(() => this.ask((client) => client.ping()).catch(() => undefined), 'Redis answers', 10);
  }

  async flush() {
    await this.ask((client) => client.flushall());
  }

  async kill() {
    const ended = once(this.running.child, 'exit');
    this.running.child.kill('SIGKILL');
    await ended;
  }

  async ask(work) {
    const client = new Client(this.url, { lazyConnect: true, retryStrategy: () => null });
    client.on('error', () => {});
    try {
      await client.connect();
      return await work(client);
    } finally {
      client.disconnect();
    }
  }
}
