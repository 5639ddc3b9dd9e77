import type { Writable } from 'node:stream';
import { printable } from './printable.js';
import type { MaybeTerminal } from './terminal.js';

/** Shows how far a long work is. */
export interface Progress {
  /** Shows that `done` of the total are done; without a total, only the number. */
  at(done: number, total?: number): void;
  /** Removes the line. */
  end(): void;
}

const WIDTH = 24;
/** Milliseconds between two pictures. */
const PAUSE = 100;
/** What removes the line of a terminal on which the cursor is. */
export const CLEAR_LINE = '\r\u001b[2K';

const SILENT: Progress = { at: () => undefined, end: () => undefined };

/** A progress bar on a terminal. Elsewhere, such as in a log, it writes nothing. */
export function progressOn(stream: MaybeTerminal<Writable>, label: string): Progress {
  if (!stream.isTTY) return SILENT;
  let shownAt = 0;
  return {
    at(done, total) {
      const now = Date.now();
      if (now - shownAt < PAUSE) return;
      shownAt = now;
      const line = printable(`${label} ${total ? barOf(done, total) : String(done)}`);
      stream.write(CLEAR_LINE + line.slice(0, (stream.columns || 80) - 1));
    },
    end: () => void stream.write(CLEAR_LINE),
  };
}

function barOf(done: number, total: number): string {
  const part = Math.min(1, done / total);
  const filled = Math.round(part * WIDTH);
  return `[${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}] ${Math.floor(part * 100)}% (${done} of ${total})`;
}
