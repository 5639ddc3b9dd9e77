import type { Database } from '../database/database.js';
import type { Statement } from '../database/statement.js';

/** From so many bytes of JSON on, a record is large: a page's statement leaves its JSON out, and it is read while the list is sent. */
export const LARGE_BYTES = 65_536;

/**
 * SQL for the JSON `column` of a row, null when it is large. `sizeColumn` is where the row keeps the number of its bytes; it may be null
 * in rows that are older than it. Without it what is stored compressed is decompressed twice, to count and to read it.
 */
export function unlessLarge(column: string, sizeColumn?: string): string {
  const counted = ifSmaller(column, String(LARGE_BYTES));
  if (sizeColumn === undefined) return counted;
  return `CASE WHEN ${sizeColumn} < ${LARGE_BYTES} THEN ${column} WHEN ${sizeColumn} IS NULL THEN ${counted} END`;
}

/** SQL for the JSON `column` if it has less than `bytes` bytes, else null. */
export function ifSmaller(column: string, bytes: string): string {
  return `CASE WHEN pg_column_size(${column}) >= ${bytes} THEN NULL
      WHEN pg_column_compression(${column}) IS NULL OR octet_length(${column}::text) < ${bytes} THEN ${column} END`;
}

/** A row of a page whose JSON is large and was left out. */
export interface LargeRow {
  id: string;
  fields: null;
}

/** The large records of a list, to be read by id. */
export interface LargeRecords<Row> {
  /** The bytes of each one's JSON; none of one that is gone. */
  sizes(ids: readonly string[]): Promise<{ id: string; bytes: number }[]>;
  /** The rows as they are now, in any order; none of one that is gone. */
  rows(ids: readonly string[]): Promise<Row[]>;
}

/** The statements that read the large records of a list by id. `Parent` names what the list belongs to, besides the tenant. */
export interface LargeStatements<Parent, Row> {
  sizes: Statement<Parent & { ids: readonly string[] }, { id: string; bytes: number }>;
  rows: Statement<Parent & { ids: readonly string[] }, Row>;
}

/** The large records of one list of a tenant. */
export function largeRecords<Parent, Row>(
  database: Database,
  tenantId: string,
  statements: LargeStatements<Parent, Row>,
  parent: NoInfer<Parent>,
): LargeRecords<Row> {
  return {
    sizes: (ids) => database.query(tenantId, statements.sizes, { ...parent, ids }),
    rows: (ids) => database.query(tenantId, statements.rows, { ...parent, ids }),
  };
}
