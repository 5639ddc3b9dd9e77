import { availableParallelism } from 'node:os';
import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { FairQueue } from '../admission/fair-queue.js';
import { Config } from '../config/config.js';
import { Problem } from '../errors/problem.js';
import { PictureProcess } from './picture-process.js';

/** Pictures of one tenant that may wait. */
const MAX_WAITING = 64;
const WAIT_MS = 20_000;

/** Work on pictures in processes of its own, where tenants take turns. */
@Injectable()
export class Pictures implements OnApplicationShutdown {
  /** Half of the processors draw variants, as long as the processes of a cluster leave one for each. */
  readonly drawing: PictureLane;
  /** Uploads do not wait for variants. */
  readonly reading = new PictureLane(1);

  constructor({ webConcurrency }: Config) {
    this.drawing = new PictureLane(Math.max(1, Math.floor(availableParallelism() / 2 / webConcurrency)));
  }

  onApplicationShutdown(): void {
    this.drawing.stop();
    this.reading.stop();
  }
}

/** A number of processes, and the queue of tenants before them. */
export class PictureLane {
  private readonly queue: FairQueue;
  private readonly free: PictureProcess[];
  private readonly processes: readonly PictureProcess[];

  constructor(concurrency: number) {
    this.queue = new FairQueue({ concurrency, maxWaiting: MAX_WAITING, waitMs: WAIT_MS, refusal: overloaded });
    this.processes = Array.from({ length: concurrency }, () => new PictureProcess());
    this.free = [...this.processes];
  }

  /** Gives `work` a process when it is the tenant's turn. Rejects with 503 when too many wait, or it waits for too long. */
  run<Result>(tenantId: string, work: (pictures: PictureProcess) => Promise<Result>): Promise<Result> {
    return this.queue.run(tenantId, async () => {
      const pictures = this.free.pop();
      if (!pictures) throw new Error('The queue lets more tasks run than there are processes.');
      try {
        return await work(pictures);
      } finally {
        this.free.push(pictures);
      }
    });
  }

  stop(): void {
    for (const pictures of this.processes) pictures.stop();
  }
}

function overloaded(): Problem {
  return new Problem('unavailable', 'Too many images are being processed.', undefined, { 'Retry-After': '5' });
}
