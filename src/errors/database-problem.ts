import { QueryFailedError } from 'typeorm';
import { Problem } from './problem.js';

/** Connection lost or refused, shutting down, starting up, disk full or broken, read-only, cancelled, deadlock, serialisation, lock time-out. */
const AWAY =
  /^(08...|57P0.|53...|58030|25006|57014|40001|40P01|55P03|25P0[23]|ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT)$/;
/** What `pg` throws without a code, and TypeORM when the connection broke between two statements of a transaction. */
const AWAY_MESSAGES =
  /Connection terminated|already released|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after calling end/;

/** A 503 for a database that is away or overloaded; undefined for any other error. */
export function problemOfDatabase(error: unknown): Problem | undefined {
  const cause: unknown = error instanceof QueryFailedError ? error.driverError : error;
  if (!(cause instanceof Error)) return undefined;
  const { code } = cause as { code?: unknown };
  const away = (typeof code === 'string' && AWAY.test(code)) || AWAY_MESSAGES.test(cause.message);
  if (!away) return undefined;
  return new Problem('unavailable', 'The service is not available right now.', undefined, { 'Retry-After': '5' });
}

/** Disk full, input or output failed, read-only server. */
const CANNOT_WRITE = /^(53100|58030|25006)$/;

/** Whether the database could not write, which the next write will meet too. */
export function isFailureToWrite(error: unknown): boolean {
  const cause: unknown = error instanceof QueryFailedError ? error.driverError : error;
  return CANNOT_WRITE.test(String((cause as { code?: unknown } | undefined)?.code));
}

/** The name of the unique constraint that the error is a violation of, if it is one. */
export function violatedConstraint(error: unknown): string | undefined {
  const cause = (error instanceof QueryFailedError ? error.driverError : error) as {
    code?: string;
    constraint?: string;
  };
  return cause?.code === '23505' ? cause.constraint : undefined;
}

/** Whether a bound value could not be read as the type that the statement wants. */
export function isUnreadableValue(error: unknown): boolean {
  const cause: unknown = error instanceof QueryFailedError ? error.driverError : error;
  return /^22(P02|P03|007|008|003)$/.test(String((cause as { code?: unknown } | undefined)?.code));
}

/** Whether a statement waited for a lock for longer than its transaction allows. */
export function isLockTimeout(error: unknown): boolean {
  const cause: unknown = error instanceof QueryFailedError ? error.driverError : error;
  return (cause as { code?: unknown } | undefined)?.code === '55P03';
}
