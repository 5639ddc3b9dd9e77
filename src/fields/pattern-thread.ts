import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { PatternRequest, PatternResponse } from './pattern-worker.js';

/** A request that takes longer is given up, and the worker ended: it can't be interrupted otherwise. */
const TIMEOUT_MS = 15_000;

/** What a worker may take to start on a machine that is busy. */
const START_MS = 30_000;

/** A worker that nobody asked for this long is ended. */
const IDLE_MS = 60_000;

const MEMORY = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };

/** The worker ended, or was ended, before it answered. */
export class PatternThreadError extends Error {}

/** A worker thread for patterns, started when it is first asked and whenever it ended. One request at a time. */
export class PatternThread {
  private worker?: Worker;
  private isReady = false;
  private idle?: NodeJS.Timeout;
  private waiting?: { resolve: (message: PatternResponse | undefined) => void; reject: (error: Error) => void };

  constructor(private readonly timeoutMs = TIMEOUT_MS) {}

  /** Throws PatternThreadError when there is no answer in time, or the worker runs out of memory. */
  async ask(request: PatternRequest): Promise<PatternResponse> {
    clearTimeout(this.idle);
    const worker = (this.worker ??= this.start());
    worker.ref();
    try {
      if (!this.isReady) await this.message(worker, START_MS);
      this.isReady = true;
      const response = this.message(worker, this.timeoutMs);
      worker.postMessage(request);
      return (await response) as PatternResponse;
    } finally {
      worker.unref();
      this.idle = setTimeout(() => void this.end(), IDLE_MS).unref();
    }
  }

  async end(): Promise<void> {
    const { worker } = this;
    this.worker = undefined;
    await worker?.terminate();
  }

  /** The next message of the worker: the first says that it is ready and holds nothing, the others are responses. */
  private async message(worker: Worker, timeoutMs: number): Promise<PatternResponse | undefined> {
    const timer = setTimeout(() => this.fail(worker, 'did not respond in time'), timeoutMs);
    try {
      return await new Promise((resolve, reject) => (this.waiting = { resolve, reject }));
    } finally {
      clearTimeout(timer);
      this.waiting = undefined;
    }
  }

  private start(): Worker {
    this.isReady = false;
    const worker = startWorker();
    worker.on('message', (message: PatternResponse | undefined) => this.waiting?.resolve(message));
    worker.on('error', ({ message }) => this.fail(worker, `failed (${message})`));
    worker.on('exit', () => this.fail(worker, 'exited'));
    return worker;
  }

  private fail(worker: Worker, reason: string): void {
    if (worker !== this.worker) return;
    this.worker = undefined;
    this.waiting?.reject(new PatternThreadError(`The pattern worker ${reason}.`));
    void worker.terminate();
  }
}

function startWorker(): Worker {
  // Where the sources run as they are (tests), so does the worker's.
  const isSource = import.meta.url.endsWith('.ts');
  const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
  return new Worker(path(isSource ? './pattern-worker.ts' : './pattern-worker.js'), {
    name: 'patterns',
    resourceLimits: MEMORY,
    ...(isSource && { execArgv: ['--import', path('../../scripts/typescript-worker.mjs')] }),
  });
}
