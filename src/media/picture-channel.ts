import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';
import type { PictureOrder, PictureReport } from './picture-task.js';

/** Requests come first on shared processors. */
const NICENESS = 10;
/** Megabytes of JavaScript objects: pictures are not among them. */
const HEAP_MB = 64;

const ENTRY = new URL(import.meta.url.endsWith('.ts') ? './picture-child.ts' : './picture-child.js', import.meta.url);
// Tests run the sources, which need a loader.
const LOADER = ENTRY.pathname.endsWith('.ts') ? ['--import', new URL('../../scripts/typescript.mjs', ENTRY).href] : [];

/** The process ended without an answer, by this signal if it was one. */
export class ProcessEnded extends Error {
  constructor(
    message: string,
    readonly signal?: string | null,
  ) {
    super(message);
  }
}

/** The process gave no answer in time. */
export class NoAnswer extends Error {}

/** A process that works on pictures, and the messages to and from it. It inherits no environment, and never keeps this process running. */
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
    // A failure shows as the end of the process.
    this.child.send(order, () => undefined);
  }

  /** The next message. Rejects with `ProcessEnded`, or with `NoAnswer` after `timeoutMs`. */
  async receive(timeoutMs: number): Promise<PictureReport> {
    if (this.ended) throw new ProcessEnded('The process has exited.');
    const { child } = this;
    let settle = () => {};
    try {
      return await new Promise<PictureReport>((resolve, reject) => {
        const end = (code: number | null, signal: string | null) =>
          reject(new ProcessEnded(`The process exited (${signal ?? code}).`, signal));
        // Of a process that the system could not start, which has no exit.
        const fail = (error: Error) => reject(new ProcessEnded(error.message));
        const timer = setTimeout(
          () => reject(new NoAnswer(`The process did not respond within ${timeoutMs} ms.`)),
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
      // It has ended already, or the system does not allow it: pictures then compete with requests.
    }
  }
}
