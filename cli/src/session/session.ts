import type { Trivet } from '@trivet/client';
import type { Output } from '../output/output.js';
import type { Terminal } from '../output/terminal.js';
import type { Connection } from './connection.js';

/** What a command works with. */
export interface Session extends Connection {
  /** The client of the tenant. */
  readonly trivet: Trivet;
  readonly output: Output;
  readonly terminal: Terminal;
  /** Is aborted when the user interrupts the command. */
  readonly signal: AbortSignal;
}
