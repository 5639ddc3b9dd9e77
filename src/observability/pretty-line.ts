import { inspect } from 'node:util';
import type { LoggedError } from './logged-error.js';

type Colour = 'red' | 'yellow' | 'green' | 'gray' | 'bold';

const LEVELS: Record<string, { label: string; colour: Colour }> = {
  fatal: { label: 'FATAL', colour: 'red' },
  error: { label: 'ERROR', colour: 'red' },
  warn: { label: 'WARN ', colour: 'yellow' },
  info: { label: 'INFO ', colour: 'green' },
  debug: { label: 'DEBUG', colour: 'gray' },
  trace: { label: 'TRACE', colour: 'gray' },
};

interface Line {
  level: string;
  time: string;
  context?: string;
  msg?: string;
  err?: LoggedError;
  stack?: string[];
  [name: string]: unknown;
}

/**
 * Turns a line of JSON from the log into text for people: the local time, the level, the source and the message, then the other values,
 * and on lines of their own the error and its stack. Other text is returned as it is.
 */
export function prettyLine(json: string, colours: boolean): string {
  let line: Line;
  try {
    line = JSON.parse(json, (_, value: unknown) => (typeof value === 'string' ? printable(value) : value)) as Line;
  } catch {
    return json;
  }
  const paint = (colour: Colour, text: string) => (colours ? painted(colour, text) : text);
  const { level, time, context, msg, err, stack, ...values } = line;
  const { label, colour } = LEVELS[level] ?? LEVELS['info']!;
  const head = [paint('gray', localTime(time)), paint(colour, label), context && paint('bold', context), msg];
  const rest = Object.entries(values).map(([name, value]) => paint('gray', `${name}=${textOf(value)}`));
  const details = [...(err ? errorLines(err) : []), ...(stack ?? []).map((frame) => `  ${frame}`)];
  const first = [...head, ...rest].filter(Boolean).join(' ');
  return `${[first, ...details.map((detail) => `  ${paint('gray', detail)}`)].join('\n')}\n`;
}

/** The error and its causes, each as its name, message and codes, followed by its stack. */
function errorLines({ type, message, stack = [], cause, errors = [], ...names }: LoggedError, prefix = ''): string[] {
  const codes = Object.entries(names).map(([name, value]) => `${name}=${textOf(value)}`);
  return [
    [`${prefix}${type}: ${message}`, ...codes].join(' '),
    ...stack.map((frame) => `  ${frame}`),
    ...(cause ? errorLines(cause, 'Cause: ') : []),
    ...errors.flatMap((error) => errorLines(error, 'Error: ')),
  ];
}

function textOf(value: unknown): string {
  if (typeof value === 'string' && /^[^\s"=]+$/.test(value)) return value;
  return typeof value === 'string' ? JSON.stringify(value) : inspect(value, { breakLength: Infinity });
}

/** Removes control characters, with which a value from outside could change what the terminal shows. */
function printable(text: string): string {
  return text.replace(/(?![\n\t])\p{Cc}/gu, '');
}

function localTime(iso: string): string {
  const at = new Date(iso);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${String(at.getMilliseconds()).padStart(3, '0')}`;
}

function painted(colour: Colour, text: string): string {
  const [on, off] = inspect.colors[colour] ?? [0, 0];
  return `\u001b[${on}m${text}\u001b[${off}m`;
}
