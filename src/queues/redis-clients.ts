import { Redis, type RedisOptions } from 'ioredis';

/** The connections of one queue to Redis, which may be unavailable at the start or at any later time. */
export class RedisClients {
  private readonly clients: Redis[] = [];
  private closed = false;

  constructor(private readonly url: string) {}

  /** Creates a connection for Bull. While Redis is unavailable, its commands fail after some retries; those for jobs wait for Redis. */
  readonly create = (type: 'client' | 'subscriber' | 'bclient'): Redis => {
    const options: RedisOptions = type === 'client' ? {} : { maxRetriesPerRequest: null };
    const client = new Redis(this.url, {
      enableReadyCheck: false,
      retryStrategy: (times) => Math.min(times * 100, 2_000),
      ...options,
    });
    this.clients.push(client);
    // Bull connects on demand, possibly after `close`.
    if (this.closed) client.disconnect();
    return client;
  };

  close(): void {
    this.closed = true;
    for (const client of this.clients) client.disconnect();
  }
}
