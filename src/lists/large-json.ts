import type { Reader } from '../database/servers/replica-reads.js';
import { type NoParameters, type Statement, statement } from '../database/statements/statement.js';

/** A record with at least this much JSON is large: the statement of a page leaves it out, and it is read while the list is sent. */
export const LARGE_BYTES = 65_536;

/**
 * SQL for the JSON `column` of a row, or null if it is large. `sizeColumn` contains the number of its bytes; it may be null in rows that
 * are older than that column. Without `sizeColumn`, compressed JSON is decompressed twice: to measure and to read it.
 */
export function unlessLarge(column: string, sizeColumn?: string): string {
  const counted = ifSmaller(column, String(LARGE_BYTES));
  if (sizeColumn === undefined) return counted;
  return `CASE WHEN ${sizeColumn} < ${LARGE_BYTES} THEN ${column} WHEN ${sizeColumn} IS NULL THEN ${counted} END`;
}

/** SQL for the JSON `column` if it has fewer than `bytes` bytes, otherwise null. */
export function ifSmaller<const Column extends string, const Bytes extends string>(column: Column, bytes: Bytes) {
  return `CASE WHEN pg_column_size(${column}) >= ${bytes} THEN NULL
      WHEN pg_column_compression(${column}) IS NULL OR octet_length(${column}::text) < ${bytes} THEN ${column} END` as const;
}

/** A row of a page whose JSON is large and was left out. */
export interface LargeRow {
  id: string;
  fields: null;
}

/** Reads the large records of a list by ID. */
export interface LargeRecords<Row> {
  /** Returns the bytes of each record's JSON. Deleted records are left out. */
  sizes(ids: readonly string[]): Promise<{ id: string; bytes: number }[]>;
  /** Returns the current rows in any order. Deleted records are left out. */
  rows(ids: readonly string[]): Promise<Row[]>;
}

/** The statements that read the large records of a list by ID. `Parent` identifies the list within the tenant. */
export interface LargeStatements<Parent, Row> {
  sizes: Statement<Parent & { ids: readonly string[] }, { id: string; bytes: number }>;
  rows: Statement<Parent & { ids: readonly string[] }, Row>;
}

/** The statements for the rows of a table whose JSON is in the column `json`. `columns` are the other columns that a row needs. */
export function largeStatements<Row>(rows: {
  table: string;
  columns: string;
  json: string;
}): LargeStatements<NoParameters, Row> {
  const { table, columns, json } = rows;
  const byIds = `FROM ${table} WHERE tenant_id = :tenantId AND id = ANY (:ids::uuid[])`;
  return {
    sizes: statement<{ ids: readonly string[] }, { id: string; bytes: number }>()(
      `${table}.sizes`,
      `SELECT id, octet_length(${json}::text) AS bytes ${byIds}`,
    ),
    rows: statement<{ ids: readonly string[] }, Row>()(`${table}.by_ids`, `SELECT ${columns}, ${json} ${byIds}`),
  };
}

/** The large records of one list of a tenant. `share` is the same as for `Database.query`. */
export function largeRecords<Parent, Row>(
  reads: Reader,
  tenantId: string,
  statements: LargeStatements<Parent, Row>,
  parent: NoInfer<Parent>,
  share = tenantId,
): LargeRecords<Row> {
  return {
    sizes: (ids) => reads.query(tenantId, statements.sizes, { ...parent, ids }, share),
    rows: (ids) => reads.query(tenantId, statements.rows, { ...parent, ids }, share),
  };
}
