import type { LoggerService } from '@nestjs/common';
import { type Logger as Pino, pino } from 'pino';

const NEST_ROOMS = new Set(['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestApplication']);

/** Nest's logger writing JSON lines: one object a line, with the room as `context`. */
export class JsonLogger implements LoggerService {
  private readonly pino: Pino;

  constructor(level: string) {
    this.pino = pino({ level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime });
  }

  /** Nest tells of each module and route that it sets up, which is for debugging. */
  log = (message: unknown, ...rest: unknown[]): void => {
    this.write(NEST_ROOMS.has(String(rest.at(-1))) ? 'debug' : 'info', message, rest);
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
    const fields = message !== null && typeof message === 'object' ? message : {};
    const text = typeof message === 'string' ? message : rest.find((part) => typeof part === 'string');
    const stack = typeof message === 'string' ? rest[0] : undefined;
    this.pino[level]({ context, ...fields, ...(stack !== undefined && { stack }) }, text);
  }
}
