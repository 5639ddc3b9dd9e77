import pg, { type QueryConfig } from 'pg';
import { isPublicKey } from '../../admission/public-key.js';
import type { Composed } from './bindings.js';
import { PreparedNames } from './prepared-names.js';

/**
 * How rows of plain statements are parsed: timestamps become ISO 8601 text, JSON stays text (it is usually only passed through), and
 * 64-bit counts become numbers.
 */
const ROW_PARSERS = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.TIMESTAMPTZ, isoTimestamp],
  [pg.types.builtins.JSON, (text) => text],
  [pg.types.builtins.INT8, Number],
]);

const rowTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    ROW_PARSERS.get(oid) ?? (pg.types.getTypeParser(oid, format ?? 'text') as (text: string) => unknown),
};

/** Returns the query of a prepared statement; one without a name is not prepared. Its rows are parsed as `ROW_PARSERS` says. */
export function preparedQuery(
  { name, text }: { name: string | undefined; text: string },
  values: unknown[],
): QueryConfig {
  return { name, text, values, types: rowTypes };
}

/** One instance per process, so that a name has the same text on every connection. */
const composedNames = new PreparedNames();

/** Returns the query of a statement whose text depends on the request. It is prepared after its text was used a few times. */
export function composedQuery(tenantId: string, { text, values }: Composed, share: string): QueryConfig {
  return preparedQuery({ name: composedNames.nameOf(text, isPublicKey(share)), text }, [tenantId, ...values]);
}

/** Converts `2026-01-31 09:30:00.12+00`, PostgreSQL's format in UTC, to `2026-01-31T09:30:00.120Z`. */
export function isoTimestamp(text: string): string {
  const fraction = text.length > 22 ? text.slice(20, -3) : '';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`;
}
