import type { LoggerService } from '@nestjs/common';
import { type Logger as Pino, pino } from 'pino';
import { framesOf, loggedError, withoutValues } from './logged-error.js';

const NEST_CONTEXTS = new Set(['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestApplication']);

/** Maximum bytes of lines that could not be written. They are tried again with the next line. */
const MAX_UNWRITTEN = 1_048_576;

/**
 * Nest's logger, which writes one JSON object per line, with the source of the line as `context`. Of an error (`err`) it writes only the
 * parts without values, because the parameters of a statement may be secret.
 */
export class JsonLogger implements LoggerService {
  private readonly pino: Pino;

  constructor(level: string) {
    const stdout = pino.destination({ dest: 1, sync: true, maxLength: MAX_UNWRITTEN });
    // A closed terminal or a full disk must not end the process. Lines are lost then.
    stdout.on('error', () => undefined);
    const serializers = { err: loggedError };
    this.pino = pino({ level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime, serializers }, stdout);
  }

  /** Nest logs each module and route that it sets up. Those lines have the level `debug`. */
  log = (message: unknown, ...rest: unknown[]): void => {
    this.write(NEST_CONTEXTS.has(String(rest.at(-1))) ? 'debug' : 'info', message, rest);
  };
  error = (message: unknown, ...rest: unknown[]): void => this.write('error', message, rest);
  warn = (message: unknown, ...rest: unknown[]): void => this.write('warn', message, rest);
  debug = (message: unknown, ...rest: unknown[]): void => this.write('debug', message, rest);
  verbose = (message: unknown, ...rest: unknown[]): void => this.write('trace', message, rest);
  fatal = (message: unknown, ...rest: unknown[]): void => this.write('fatal', message, rest);

  /** Nest passes the context last, and before it a stack or more messages. */
  private write(
    level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace',
    message: unknown,
    rest: unknown[],
  ): void {
    if (!this.pino.isLevelEnabled(level)) return;
    const context = rest.pop();
    const fields = message instanceof Error ? { err: message } : isObject(message) ? message : {};
    const text = typeof message === 'string' ? message : rest.find((part) => typeof part === 'string');
    const stack = typeof message === 'string' && typeof rest[0] === 'string' ? framesOf({ stack: rest[0] }) : undefined;
    this.pino[level]({ context, ...fields, ...(stack && { stack }) }, text && withoutValues(text));
  }
}

function isObject(value: unknown): value is object {
  return value !== null && typeof value === 'object';
}
