import { types } from 'node:util';
import { Problem } from './problem.js';

/** Unlike `instanceof`, also true for errors of Node.js itself in a test, whose globals are others. */
const { isNativeError } = types;

/**
 * Codes for: connection lost or refused, start, stop, disk full or broken, read-only, cancelled, deadlock, serialization, lock wait, and a shard
 * of Citus that is moved.
 */
const AWAY =
  /^(08...|57P0.|53...|58030|25006|57014|40001|40P01|55P03|25P0[23]|CIINF|ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT)$/;
/** Messages of errors without a code: from `pg`, and from TypeORM when a connection breaks between two statements of a transaction. */
const AWAY_MESSAGES =
  /Connection terminated|already released|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after calling end/;

/** Returns a 503 if the database is unavailable or overloaded; undefined for any other error. */
export function problemOfDatabase(error: unknown): Problem | undefined {
  const cause = causeOf(error);
  if (!isNativeError(cause)) return undefined;
  const away =
    AWAY.test(codeOf(error)) || AWAY_MESSAGES.test(cause.message) || hasNoSession(cause) || isPartAway(error);
  if (!away) return undefined;
  return Problem.unavailable('The service is not available right now.', 5);
}

/** Whether PostgreSQL refused the session or ended it: a database that takes no connections or was renamed, a password that was changed. */
function hasNoSession(cause: Error): boolean {
  return (cause as { severity?: string }).severity === 'FATAL';
}

/** Codes for: disk full, I/O error, read-only server. */
const CANNOT_WRITE = /^(53100|58030|25006)$/;

/** Whether the database could not write. The next write would fail too. */
export function isFailureToWrite(error: unknown): boolean {
  return CANNOT_WRITE.test(codeOf(error));
}

/**
 * Returns the name of the unique constraint that was violated; undefined for any other error. Citus reports it only in the message, and
 * appends the number of a shard, so no constraint may have a name that ends in a number.
 */
export function violatedConstraint(error: unknown): string | undefined {
  if (codeOf(error) !== '23505') return undefined;
  const { constraint, message } = causeOf(error) as { constraint?: string; message: string };
  return (constraint ?? /constraint "(\w+)"/.exec(message)?.[1])?.replace(/_\d+$/, '');
}

/** Whether a bound value could not be converted to the type that the statement expects. */
export function isUnreadableValue(error: unknown): boolean {
  return /^22(P02|P03|007|008|003)$/.test(codeOf(error));
}

/** Whether a value was refused: it cannot be converted or violates a constraint, or a row would be too large for an index. */
export function isRefusedValue(error: unknown): boolean {
  return /^(22|23|54)/.test(codeOf(error));
}

/** Whether a statement waited for a lock for longer than its transaction allows. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03';
}

/** Whether the transaction was ended because of another one: to end a deadlock, or because Citus moves the shard. It can be tried again. */
export function isOvertaken(error: unknown): boolean {
  return /^(40P01|CIINF)$/.test(codeOf(error));
}

/** Whether Citus was moving the shard of the tenant. */
export function isShardMoving(error: unknown): boolean {
  return codeOf(error) === 'CIINF';
}

/** Messages of Citus without a code of their own: from its connection to a server, and if a server was lost at the commit. */
const PART_LOST =
  /^(server closed the connection unexpectedly|could not (send|receive) data|no connection to the server|SSL (SYSCALL|connection)|could not commit transaction for shard|failure on connection marked as essential)/;

/**
 * Whether the server could not reach another one that has a part of the data, or has lost it. Only Citus reports this: if the process cannot
 * reach its own server, the error is not from PostgreSQL, which would have a severity. If the server was lost at a commit, it is not known whether
 * the change was made.
 */
export function isPartAway(error: unknown): boolean {
  const { severity, message = '', where = '' } = (causeOf(error) ?? {}) as Record<string, string | undefined>;
  if (severity === undefined) return false;
  const code = codeOf(error);
  const isEnding = /^57P0[123]$/.test(code) && where.includes('while executing command on');
  return code === '08006' || isEnding || (code === 'XX000' && PART_LOST.test(message));
}

/** Whether the role of the connection lacks a right. */
export function isForbidden(error: unknown): boolean {
  return codeOf(error) === '42501';
}

/** Returns the driver's error, which TypeORM wraps. */
function causeOf(error: unknown): unknown {
  return (error as { driverError?: unknown } | undefined)?.driverError ?? error;
}

/** Returns the error code of PostgreSQL or of the socket; empty if the error has no code. */
function codeOf(error: unknown): string {
  const { code } = (causeOf(error) ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
