import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { PatternRequest, PatternResponse } from './pattern-worker.js';

/** If a request takes longer, it fails and the worker is terminated, because it cannot be interrupted. */
const TIMEOUT_MS = 15_000;

/** Time-out for the start of a worker, on a busy machine. */
const START_MS = 30_000;

/** A worker that has been idle for this long is terminated. */
const IDLE_MS = 60_000;

const MEMORY = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };

/** The worker exited or was terminated before it responded. */
export class PatternThreadError extends Error {}

/** A worker thread for patterns. It starts with the first request, and again after it has ended. It handles one request at a time. */
export class PatternThread {
  private worker?: Worker;
  private isReady = false;
  private idle?: NodeJS.Timeout;
  private waiting?: { resolve: (message: PatternResponse | undefined) => void; reject: (error: Error) => void };

  constructor(private readonly timeoutMs = TIMEOUT_MS) {}

  /** Throws PatternThreadError if the worker does not respond in time or ends, for example because it runs out of memory. */
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

  /** Waits for the worker's next message. The first message means that it is ready and is empty; the others are responses. */
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
  // If the TypeScript sources run directly (in tests), the worker runs from its source too.
  const isSource = import.meta.url.endsWith('.ts');
  const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
  return new Worker(path(isSource ? './pattern-worker.ts' : './pattern-worker.js'), {
    name: 'patterns',
    resourceLimits: MEMORY,
    ...(isSource && { execArgv: ['--import', path('../../../scripts/typescript-worker.mjs')] }),
  });
}
