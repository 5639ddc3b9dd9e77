import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from '../../config/start-error.js';
import { isNotYet, connectionFault, databaseRefusal } from '../connections/database-refusal.js';

const INTERVAL_MS = 500;
/** A host that does not answer at all costs this much of the wait at a time. */
const ATTEMPT_MS = 10_000;

interface Options {
  url: string;
  /** How long to wait for a server that does not accept connections yet. */
  waitMs: number;
  /** Logs, once, that the process waits. */
  say: (message: string) => void;
}

/**
 * Returns when the server at `DATABASE_URL` accepts a connection. Throws a StartError if it does not within the time, or at once if it
 * refuses for a reason that time does not change, such as a wrong password.
 */
export async function awaitDatabase({ url, waitMs, say }: Options): Promise<void> {
  const deadline = performance.now() + waitMs;
  for (let attempt = 1; ; attempt++) {
    const left = deadline - performance.now();
    const { error, where } = await connect(url, Math.max(1_000, Math.min(left, ATTEMPT_MS)));
    if (error === undefined) return;
    if (!isNotYet(error)) throw databaseRefusal(error, where);
    if (performance.now() >= deadline) throw absence(error, where, waitMs);
    if (attempt === 1) {
      say(
        `The PostgreSQL at ${where} does not accept connections yet (${connectionFault(error)}). ` +
          `Trivet waits for it for up to ${seconds(waitMs)} (DATABASE_WAIT)`,
      );
    }
    await sleep(Math.min(INTERVAL_MS, Math.max(0, deadline - performance.now())));
  }
}

/** Connects and disconnects. `where` is the host and the port, without the credentials of the URL. */
async function connect(connectionString: string, timeoutMs: number): Promise<{ error?: unknown; where: string }> {
  let where = 'that address';
  try {
    const client = new pg.Client({
      connectionString,
      application_name: 'trivet start',
      connectionTimeoutMillis: timeoutMs,
    });
    where = `${client.host}:${client.port}`;
    // Without a listener, an error between two statements would end the process.
    client.on('error', () => undefined);
    await client.connect().finally(() => client.end().catch(() => undefined));
    return { where };
  } catch (error) {
    return { error, where };
  }
}

function absence(error: unknown, where: string, waitMs: number): StartError {
  const waited = waitMs > 0 ? ` for ${seconds(waitMs)} (DATABASE_WAIT)` : '';
  return new StartError(
    `DATABASE_URL: no PostgreSQL accepts connections at ${where} (${connectionFault(error)})${waited}. ` +
      'Check that the server runs, and that the host and the port are right.',
  );
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 100) / 10} s`;
}
