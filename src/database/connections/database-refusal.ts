import { StartError } from '../../config/start-error.js';

/** Codes of errors that may pass while a server, its network or its name is coming up. */
const NOT_YET = new Set([
  // From PostgreSQL: starting up or shutting down, an administrator ended the session, a crash, too many connections.
  ...['57P03', '57P01', '57P02', '53300'],
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH'],
  // The name does not resolve yet. The socket file does not exist yet.
  ...['ENOTFOUND', 'EAI_AGAIN', 'ENOENT'],
]);
/** The driver's errors without a code. */
const NOT_YET_MESSAGE = /^(Connection terminated|timeout expired)/;

const TLS = /^(ERR_TLS|ERR_SSL|CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|HOSTNAME_MISMATCH)|SSL/;

interface DatabaseError extends Error {
  code?: string;
  syscall?: string;
}

/** Whether another attempt may succeed without a change of the configuration. */
export function isNotYet(error: unknown): boolean {
  const { code, message } = error as DatabaseError;
  return NOT_YET.has(code ?? '') || NOT_YET_MESSAGE.test(message);
}

/** Returns the error's code, or its message if it has none. Neither contains a part of the URL. */
export function connectionFault(error: unknown): string {
  const { code, message } = error as DatabaseError;
  return code ?? message;
}

/** Codes of errors during the migrations that the operator can fix: no privilege, a server that only reads, a full disk. */
const OPERATORS = new Set(['42501', '25006', '53100']);

/** Whether the operator can fix an error that occurred after the connection, so that its stack says nothing. */
export function isForOperator(error: unknown): boolean {
  const { code = '', syscall } = error as DatabaseError;
  return (
    OPERATORS.has(code) ||
    (isNotYet(error) && (syscall === undefined || /^(connect|getaddrinfo|read|write)$/.test(syscall)))
  );
}

/** Returns what to do about an error that waiting does not fix. `where` is the host and the port. */
export function databaseRefusal(error: unknown, where: string): StartError {
  return new StartError(`DATABASE_URL: ${explain(error as DatabaseError, where)}`);
}

function explain({ code = '', message }: DatabaseError, where: string): string {
  if (code === '28P01') {
    return `the PostgreSQL at ${where} rejects the user name or the password (28P01). Correct them, with percent-encoding for characters such as @ / # and ?.`;
  }
  if (/password must be a string/.test(message)) {
    return `the PostgreSQL at ${where} requires a password. Add it after the user name, with a colon between them.`;
  }
  if (code === '28000') {
    return `the PostgreSQL at ${where} does not let this user connect from here (28000). Create the user, or allow it in pg_hba.conf.`;
  }
  if (code === '3D000') {
    return `the PostgreSQL at ${where} has no database of this name (3D000). Create it with CREATE DATABASE, or correct the name.`;
  }
  if (code === '42501') {
    return `the user may not create tables in this database (42501). Make it the owner of the database, or grant it CREATE on the schema.`;
  }
  if (code === 'ERR_INVALID_URL') {
    return 'it is not a valid URL. Percent-encode characters such as @ / # and ? in the user name and the password.';
  }
  if (TLS.test(code) || TLS.test(message)) {
    return `the TLS connection to the PostgreSQL at ${where} fails (${code || message}). Correct sslmode, or the certificates.`;
  }
  if (code === '25006') return `the PostgreSQL at ${where} only reads (25006). Name the primary server.`;
  if (code === '53100') return `the disk of the PostgreSQL at ${where} is full (53100). Free some space.`;
  return `the PostgreSQL at ${where} cannot be used (${code || message}). Check the URL, and the server's log.`;
}
