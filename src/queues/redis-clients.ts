import { Redis, type RedisOptions } from 'ioredis';

/** The connections of one queue to its Redis, which may be away at the start or go at any time. */
export class RedisClients {
  private readonly clients: Redis[] = [];
  private closed = false;

  constructor(private readonly url: string) {}

  /** As Bull asks for them: commands fail at once while Redis is away, those that wait for jobs wait for Redis too. */
  readonly create = (type: 'client' | 'subscriber' | 'bclient'): Redis => {
    const options: RedisOptions = type === 'client' ? {} : { maxRetriesPerRequest: null };
    const client = new Redis(this.url, {
      enableReadyCheck: false,
      retryStrategy: (times) => Math.min(times * 100, 2_000),
      ...options,
    });
    this.clients.push(client);
    // Bull connects as it needs to, maybe only when this is over.
    if (this.closed) client.disconnect();
    return client;
  };

  close(): void {
    this.closed = true;
    for (const client of this.clients) client.disconnect();
  }
}
