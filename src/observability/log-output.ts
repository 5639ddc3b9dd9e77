import { pino } from 'pino';
import type { Config } from '../config/config.js';
import { prettyLine } from './pretty-line.js';

/** Receives the lines of a logger as JSON. */
export interface LogOutput {
  write(line: string): void;
}

/** Maximum bytes of lines that could not be written. They are tried again with the next line. */
const MAX_UNWRITTEN = 1_048_576;

/** Returns an output that writes to the standard output (1) or the standard error (2) before it returns. */
export function outputTo(descriptor: 1 | 2, format: Config['logFormat']): LogOutput {
  const destination = pino.destination({ dest: descriptor, sync: true, maxLength: MAX_UNWRITTEN });
  // A closed terminal or a full disk must not end the process. Lines are lost then.
  destination.on('error', () => undefined);
  if (format === 'json') return destination;
  const stream = descriptor === 1 ? process.stdout : process.stderr;
  const colours = stream.isTTY && stream.hasColors();
  return { write: (line) => void destination.write(prettyLine(line, colours)) };
}
