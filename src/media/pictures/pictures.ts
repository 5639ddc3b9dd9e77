import { availableParallelism } from 'node:os';
import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { FairQueue } from '../../admission/fair-queue.js';
import { Config } from '../../config/config.js';
import { Problem } from '../../errors/problem.js';
import { PictureProcess } from './picture-process.js';

/** Maximum number of waiting images of a tenant. */
const MAX_WAITING = 64;
const WAIT_MS = 20_000;

/** Processes images in separate processes. Tenants take turns. */
@Injectable()
export class Pictures implements OnApplicationShutdown {
  /** Half of the processors decode and draw images, divided among the processes of a cluster. Each process of the cluster has at least one. */
  readonly drawing: PictureProcesses;
  /** Reads sizes. Separate, so that uploads do not wait for variants. */
  readonly reading = new PictureProcesses(1);

  constructor({ webConcurrency }: Config) {
    this.drawing = new PictureProcesses(Math.max(1, Math.floor(availableParallelism() / 2 / webConcurrency)));
  }

  onApplicationShutdown(): void {
    this.drawing.stop();
    this.reading.stop();
  }
}

/** A number of processes, and the queue of the tenants that wait for them. */
export class PictureProcesses {
  private readonly queue: FairQueue;
  private readonly free: PictureProcess[];
  private readonly processes: readonly PictureProcess[];

  constructor(concurrency: number) {
    this.queue = new FairQueue({ concurrency, maxWaiting: MAX_WAITING, waitMs: WAIT_MS, refusal: overloaded });
    this.processes = Array.from({ length: concurrency }, () => new PictureProcess());
    this.free = [...this.processes];
  }

  /** Images that are being processed. */
  get running(): number {
    return this.queue.running;
  }

  /** Images that wait to be processed. */
  get waiting(): number {
    return this.queue.waiting;
  }

  /** Runs `work` with a process when it is the turn of the key (a tenant). Rejects with a 503 if too many images wait or the wait expires. */
  run<Result>(key: string, work: (pictures: PictureProcess) => Promise<Result>): Promise<Result> {
    return this.queue.run(key, async () => {
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
  return Problem.unavailable('Too many images are being processed.', 5);
}
