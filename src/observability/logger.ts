import type { LoggerService } from '@nestjs/common';
import { type Logger as Pino, pino } from 'pino';
import { framesOf, loggedError, withoutValues } from './logged-error.js';
import { type LogOutput, outputTo } from './log-output.js';

const NEST_CONTEXTS = new Set(['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestApplication']);
/** Nest logs the error of a failed start here and then throws it. `main.ts` reports it. */
const REPORTED_LATER = new Set(['TypeOrmModule', 'ExceptionHandler']);

/**
 * Nest's logger, which writes one JSON object per line, with the source of the line as `context`. Of an error (`err`) it writes only the
 * parts without values, because the parameters of a statement may be secret.
 */
export class JsonLogger implements LoggerService {
  private readonly pino: Pino;

  constructor(level: string, output: LogOutput = outputTo(1, 'json')) {
    const options = {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label: string) => ({ level: label }) },
      serializers: { err: loggedError },
    };
    this.pino = pino(options, output);
  }

  /** Nest logs each module and route that it sets up. Those lines have the level `debug`. */
  log = (message: unknown, ...rest: unknown[]): void => {
    this.write(NEST_CONTEXTS.has(String(rest.at(-1))) ? 'debug' : 'info', message, rest);
  };
  error = (message: unknown, ...rest: unknown[]): void => {
    this.write(REPORTED_LATER.has(String(rest.at(-1))) ? 'debug' : 'error', message, rest);
  };
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
