import { type Paint, paintFor } from './paint.js';
import { type Progress, progressOn } from './progress.js';
import { printable } from './printable.js';
import type { Terminal } from './terminal.js';

/** What a command prints. Results are written to the standard output, and everything else to the standard error. */
export interface Output {
  /** Whether `--json` was given: the standard output then has JSON only. */
  readonly isJson: boolean;
  /** Colours a text of the standard output. */
  readonly paint: Paint;
  /** A line of the result for people. With --json it is not written. */
  line(text?: string): void;
  /** The result for programs, as one line of JSON. Without --json it is not written. */
  json(value: unknown): void;
  /** A remark, such as what was skipped. It is written to the standard error, also with --json. */
  note(text: string): void;
  /** A progress bar on the standard error, if that is a terminal. */
  progress(label: string): Progress;
}

export function outputOn({ stdout, stderr, env }: Terminal, isJson: boolean): Output {
  return {
    isJson,
    paint: paintFor(stdout, env),
    line: (text = '') => void (isJson || stdout.write(`${printable(text)}\n`)),
    json: (value) => void (isJson && stdout.write(`${JSON.stringify(value)}\n`)),
    note: (text) => void stderr.write(`${printable(text)}\n`),
    progress: (label) => progressOn(stderr, label),
  };
}
