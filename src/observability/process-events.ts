import type { JsonLogger } from './logger.js';

interface NodeWarning extends Error {
  code?: string;
}

/**
 * Logs the warnings of Node.js and of packages as lines of the log. Node.js would write them to the standard error as text. Reports an
 * error that no code caught to `fail`, which must end the process.
 */
export function logProcessEvents(logger: JsonLogger, fail: (error: unknown) => void): void {
  process.removeAllListeners('warning');
  process.on('warning', ({ name, code, message }: NodeWarning) => {
    logger.warn({ warning: name, ...(code && { code }) }, message, 'Node');
  });
  // Also of a rejection without a handler, which Node.js treats as an uncaught exception.
  process.on('uncaughtException', fail);
}
