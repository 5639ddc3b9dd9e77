import { loadLogging } from '../config/load-config.js';
import { StartError } from '../config/start-error.js';
import { outputTo } from './log-output.js';
import { JsonLogger } from './logger.js';

/** Writes why the process ends to the standard error, in the format of the log (`LOG_FORMAT`) and independent of `LOG_LEVEL`. */
export function reportFailure(error: unknown): void {
  const logger = new JsonLogger('fatal', outputTo(2, loadLogging().logFormat));
  if (error instanceof StartError) logger.fatal(error.message, 'Main');
  else logger.fatal({ err: error }, 'Trivet ended because of an error that it does not handle', 'Main');
}
