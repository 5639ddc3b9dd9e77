import type { Worker } from 'node:cluster';
import { outageReason, RedisOutage } from './redis-outage.js';

/** `reason` is undefined when the user can use Redis again. */
interface Note {
  user: string;
  reason?: string;
}

/** In a worker of a cluster: tells the primary, which logs an outage once for all workers. */
export class ReportedOutage extends RedisOutage {
  private readonly reported = new Set<string>();

  begin(user: string, error: Error | undefined): void {
    if (this.reported.has(user)) return;
    this.reported.add(user);
    this.report({ user, reason: outageReason(error) });
  }

  end(user: string): void {
    if (this.reported.delete(user)) this.report({ user });
  }

  private report(redis: Note): void {
    // The primary may be ending.
    if (process.connected) process.send?.({ redis }, () => undefined);
  }
}

/** In the primary of a cluster: passes on what the worker tells. The end of the worker ends its part of an outage. */
export function logOutagesOf(worker: Worker, outage: RedisOutage): void {
  const users = new Set<string>();
  worker.on('message', ({ redis }: { redis?: Note }) => {
    if (!redis) return;
    const user = `${worker.id} ${redis.user}`;
    users.add(user);
    if (redis.reason === undefined) outage.end(user);
    else outage.begin(user, new Error(redis.reason));
  });
  worker.once('exit', () => users.forEach((user) => outage.end(user)));
}
