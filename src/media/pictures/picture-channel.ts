import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';
import type { PictureOrder, PictureReport } from './picture-task.js';

/** A lower priority, so that requests come first on shared processors. */
const NICENESS = 10;
/** Megabytes for JavaScript objects. Images are not among them. */
const HEAP_MB = 64;

const ENTRY = new URL(import.meta.url.endsWith('.ts') ? './picture-child.ts' : './picture-child.js', import.meta.url);
// Tests run the sources, which need a loader.
const LOADER = ENTRY.pathname.endsWith('.ts')
  ? ['--import', new URL('../../../scripts/typescript.mjs', ENTRY).href]
  : [];

/** The process ended without a response. `signal` is the signal that ended it, if any. */
export class ProcessEnded extends Error {
  constructor(
    message: string,
    readonly signal?: string | null,
  ) {
    super(message);
  }
}

/** The process did not respond in time. */
export class ResponseTimeout extends Error {}

/**
 * A process that works on images, and the messages to and from it. It inherits no environment variables, and never keeps this process
 * running.
 */
export class PictureChannel {
  ended = false;
  private readonly child: ChildProcess;

  constructor() {
    this.child = fork(ENTRY, [], {
      env: {},
      execArgv: [`--max-old-space-size=${HEAP_MB}`, ...LOADER],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.child.unref();
    this.child.channel?.unref();
    const end = () => {
      this.ended = true;
    };
    this.child.on('error', end).once('exit', end);
    this.lowerPriority();
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  send(order: PictureOrder): void {
    // A failure is noticed as the end of the process.
    this.child.send(order, () => undefined);
  }

  /** Returns the next message. Rejects with `ProcessEnded`, or with `ResponseTimeout` after `timeoutMs`. */
  async receive(timeoutMs: number): Promise<PictureReport> {
    if (this.ended) throw new ProcessEnded('The process has exited.');
    const { child } = this;
    let settle = () => {};
    try {
      return await new Promise<PictureReport>((resolve, reject) => {
        const end = (code: number | null, signal: string | null) =>
          reject(new ProcessEnded(`The process exited (${signal ?? code}).`, signal));
        // A process that the system could not start has no exit event.
        const fail = (error: Error) => reject(new ProcessEnded(error.message));
        const timer = setTimeout(
          () => reject(new ResponseTimeout(`The process did not respond within ${timeoutMs} ms.`)),
          timeoutMs,
        );
        child.once('message', resolve).once('exit', end).once('error', fail);
        settle = () => {
          clearTimeout(timer);
          child.off('message', resolve).off('exit', end).off('error', fail);
        };
      });
    } finally {
      settle();
    }
  }

  kill(): void {
    this.ended = true;
    this.child.kill('SIGKILL');
  }

  private lowerPriority(): void {
    try {
      if (this.pid !== undefined) setPriority(this.pid, NICENESS);
    } catch {
      // The process has already ended, or the system does not allow this. Images then compete with requests.
    }
  }
}
