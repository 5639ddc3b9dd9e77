import { ConfigError } from '../config/environment.js';

/** Exit code of a command that could not do its work. */
const FAILED = 1;
/** Exit code of a command that a signal ended, as in shells. */
const INTERRUPTED = 130;

/**
 * Runs a command of the service; `work` resolves with the exit code. Prints an error that an admin can fix in one line, and a bug with
 * its stack. The first signal aborts the work, which cleans up. The second ends the process.
 */
export function runCommand(work: (signal: AbortSignal) => Promise<number>): void {
  process.umask(0o077);
  const abort = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (abort.signal.aborted) process.exit(INTERRUPTED);
      abort.abort();
    });
  }
  work(abort.signal).then(
    (code) => process.exit(code),
    (error: unknown) => {
      const text = abort.signal.aborted ? 'Interrupted.' : describe(error);
      process.stderr.write(`${text}\n`, () => process.exit(abort.signal.aborted ? INTERRUPTED : FAILED));
    },
  );
}

/** Prints a line for the admin. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** A TypeError, RangeError or ReferenceError without a code is a bug. Other errors come from files, servers or admins. */
function describe(error: unknown): string {
  if (error instanceof ConfigError || !(error instanceof Error)) return String((error as Error).message ?? error);
  const isFault = error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return isFault && !code ? (error.stack ?? error.message) : error.message || code || error.name;
}
