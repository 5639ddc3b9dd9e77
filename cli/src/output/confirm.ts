import { createInterface } from 'node:readline/promises';
import type { Terminal } from './terminal.js';

/** Asks on the terminal. Anything but yes is no. */
export async function confirm({ stdin, stderr }: Terminal, question: string, signal: AbortSignal): Promise<boolean> {
  const asking = createInterface({ input: stdin, output: stderr });
  // Without this, the interface would keep Ctrl-C to itself.
  asking.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    return /^y(es)?$/i.test((await asking.question(`${question} [y/N] `, { signal })).trim());
  } finally {
    asking.close();
  }
}
