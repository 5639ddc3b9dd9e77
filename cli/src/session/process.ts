import type { ExitCode } from '../exit-code.js';
import type { Terminal } from '../output/terminal.js';

/** One run of the command line. */
export interface Process {
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
  /** What the run ends with. */
  exitCode: ExitCode;
}
