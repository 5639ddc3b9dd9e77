import type { Config } from './config/config.js';
import { StartError } from './config/start-error.js';
import { isForOperator, databaseRefusal } from './database/connections/database-refusal.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './database/embedded/embedded-postgres.js';
import { describeListenError } from './http/listen-error.js';
import type { JsonLogger } from './observability/logger.js';

/** Starts the embedded PostgreSQL. Throws a StartError if the system or another process prevents that. */
export async function startDatabase({ dataDir }: Config, logger: JsonLogger): Promise<EmbeddedPostgres> {
  const log = {
    info: (message: string) => logger.log(message, 'Postgres'),
    error: (message: string) => logger.error(message, 'Postgres'),
  };
  return startEmbeddedPostgres({ dataDir, log }).catch((error: unknown) => {
    throw isFault(error) ? error : new StartError(`DATA_DIR: ${oneLine((error as Error).message)}`);
  });
}

/** Returns a StartError for an error of the start that the operator can fix, and any other error as it is. */
export function describeStartError(error: unknown, config: Config): unknown {
  if (config.databaseUrl && isForOperator(error)) return databaseRefusal(error, 'that address');
  return describeListenError(error, config);
}

/** An error of the code, not of the system: its stack is needed. */
function isFault(error: unknown): boolean {
  const isOfCode = error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
  return isOfCode && (error as NodeJS.ErrnoException).code === undefined;
}

function oneLine(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' ');
}
