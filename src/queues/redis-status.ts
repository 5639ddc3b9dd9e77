import { setTimeout as sleep } from 'node:timers/promises';
import type { Queue as BullQueue } from 'bull';

/** Commands to an unavailable Redis fail only after many retries. */
const TIMEOUT_MS = 1_000;

/** A queue in Redis: the processes that wait for its jobs, and the jobs. */
export interface RedisStatus {
  queue: string;
  workers: number;
  waiting: number;
  active: number;
}

/** Returns undefined if Redis does not respond in time. */
export async function redisStatus(queues: readonly BullQueue[]): Promise<RedisStatus[] | undefined> {
  const late = sleep(TIMEOUT_MS, undefined, { ref: false });
  return Promise.race([Promise.all(queues.map(statusOf)).catch(() => undefined), late]);
}

async function statusOf(queue: BullQueue): Promise<RedisStatus> {
  const [workers, { waiting, active }] = await Promise.all([queue.getWorkers(), queue.getJobCounts()]);
  return { queue: queue.name, workers: workers.length, waiting, active };
}
