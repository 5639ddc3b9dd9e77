import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { parseRedisUrl } from '../config/redis-url.js';

export type RedisClient = Redis | Cluster;

/** A command is sent to another node of a cluster at most this often before it fails, so that nothing waits long for a lost node. */
const MAX_REDIRECTIONS = 4;

/** Connects to what `REDIS_URL` names. All keys of one command must be in one slot of a cluster. */
export function connectRedis(url: string, options: RedisOptions): RedisClient {
  const place = parseRedisUrl(url);
  if (!place || place.kind === 'server') return new Redis(url, options);
  const { nodes, username, password, isSecure } = place;
  const secure = isSecure && { tls: {}, sentinelTLS: {} };
  if (place.kind === 'sentinel') {
    const sentinels = { sentinels: nodes, name: place.master, enableTLSForSentinelMode: isSecure };
    return new Redis({ ...options, ...sentinels, ...secure, username, password, db: place.db });
  }
  const { keyPrefix, enableOfflineQueue = true, ...redisOptions } = options;
  return new Cluster(nodes, {
    keyPrefix,
    enableOfflineQueue,
    maxRedirections: MAX_REDIRECTIONS,
    redisOptions: { ...redisOptions, ...secure, username, password },
  });
}
