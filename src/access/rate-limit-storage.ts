import cluster from 'node:cluster';
import { Injectable, Logger, OnApplicationShutdown } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import { Config } from '../config/config.js';
import { connectRedis, type RedisClient } from '../redis/connect-redis.js';
import { RedisOutage } from '../redis/redis-outage.js';
import { ClusterWindows } from './cluster-windows.js';
import { type Count, RateLimitWindows } from './rate-limit-windows.js';

/** Counts hits (0 or 1) in a window that starts with its first hit. Returns the hits so far and the milliseconds left. */
const INCREMENT = `
if ARGV[2] == '0' then return {tonumber(redis.call('GET', KEYS[1]) or 0), math.max(0, redis.call('PTTL', KEYS[1]))} end
local hits = redis.call('INCR', KEYS[1])
if hits == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {hits, redis.call('PTTL', KEYS[1])}`;

/** The name of these connections in an outage of Redis. */
const USER = 'rate limits';

/**
 * Counts requests in fixed windows. With Redis, all processes share them. Without it, the processes of a cluster share them through
 * their primary. While the shared windows are unavailable, each process counts on its own, because a limiter must neither stop the
 * service nor let everything through.
 */
@Injectable()
export class RateLimitStorage implements ThrottlerStorage, OnApplicationShutdown {
  private readonly logger = new Logger(RateLimitStorage.name);
  private readonly own = new RateLimitWindows();
  private readonly redis?: RedisClient;
  private readonly cluster?: ClusterWindows;

  constructor(
    { redisUrl }: Config,
    private readonly outage: RedisOutage,
  ) {
    if (redisUrl) this.redis = this.connect(redisUrl);
    else if (cluster.isWorker) this.cluster = new ClusterWindows();
  }

  /** `ttl` is in milliseconds. The returned times are in seconds, as the throttler expects. */
  async increment(key: string, ttl: number, limit: number): ReturnType<ThrottlerStorage['increment']> {
    const [hits, left] = await this.count(key, ttl, 1);
    const seconds = Math.ceil(left / 1000);
    return { totalHits: hits, timeToExpire: seconds, isBlocked: hits > limit, timeToBlockExpire: seconds };
  }

  /** Returns how many hits the present window has, and how many milliseconds are left of it. */
  async look(key: string, ttl: number): Promise<Count> {
    return this.count(key, ttl, 0);
  }

  onApplicationShutdown(): void {
    this.redis?.disconnect();
  }

  private async count(key: string, ttl: number, hits: 0 | 1): Promise<Count> {
    if (this.redis?.status === 'ready') return this.countInRedis(this.redis, key, ttl, hits);
    if (!this.cluster) return this.own.count(key, ttl, hits);
    try {
      return await this.cluster.count(key, ttl, hits);
    } catch (error) {
      this.logger.warn({ err: error }, 'The primary process does not count requests; this process counts on its own');
      return this.own.count(key, ttl, hits);
    }
  }

  private async countInRedis(redis: RedisClient, key: string, ttl: number, hits: 0 | 1): Promise<Count> {
    try {
      const count = (await redis.eval(INCREMENT, 1, key, ttl, hits)) as Count;
      this.outage.end(USER);
      return count;
    } catch (error) {
      this.outage.begin(USER, error as Error);
      return this.own.count(key, ttl, hits);
    }
  }

  private connect(url: string): RedisClient {
    const redis = connectRedis(url, {
      keyPrefix: 'trivet:rate:',
      maxRetriesPerRequest: 0,
      enableOfflineQueue: false,
      commandTimeout: 500,
    });
    redis.on('error', (error: Error) => this.outage.begin(USER, error));
    redis.on('ready', () => this.outage.end(USER));
    return redis;
  }
}
