import type { RedisOptions } from 'ioredis';
import { connectRedis, type RedisClient } from '../redis/connect-redis.js';

/** The beginning of all keys and connection names in Redis. The braces keep all keys in one slot of a cluster, as Bull's scripts need it. */
export const PREFIX = '{trivet}';

/** The connections of one queue to Redis, which may be unavailable at the start or at any later time. */
export class RedisClients {
  private readonly clients: RedisClient[] = [];
  private closed = false;

  constructor(
    private readonly url: string,
    private readonly queue: string,
  ) {}

  /** Creates a connection for Bull. While Redis is unavailable, its commands fail after some retries; those for jobs wait for Redis. */
  readonly create = (type: 'client' | 'subscriber' | 'bclient'): RedisClient => {
    const options: RedisOptions = type === 'client' ? {} : { maxRetriesPerRequest: null };
    const client = connectRedis(this.url, {
      enableReadyCheck: false,
      connectionName: this.nameOf(type),
      retryStrategy: (times) => Math.min(times * 100, 2_000),
      ...options,
    });
    this.clients.push(client);
    // Bull connects on demand, possibly after `close`.
    if (this.closed) client.disconnect();
    return client;
  };

  /**
   * Bull recognizes the workers of a queue by the name of the connection on which they wait for jobs. `CLIENT LIST` shows it, also after
   * a reconnection. The other connections must not look like workers.
   */
  private nameOf(type: 'client' | 'subscriber' | 'bclient'): string {
    if (type !== 'bclient') return `${PREFIX}-${this.queue}-${type}`;
    return `${PREFIX}:${Buffer.from(this.queue).toString('base64')}`;
  }

  close(): void {
    this.closed = true;
    for (const client of this.clients) client.disconnect();
  }
}
