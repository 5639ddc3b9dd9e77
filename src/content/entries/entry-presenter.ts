import { formatId } from '../../ids/type-id.js';
import type { EntryStatus } from './entry.entity.js';

/** A row of an entry: `fields` is JSON text, timestamps are ISO 8601. */
export interface EntryRow {
  id: string;
  fields: string;
  status: EntryStatus;
  createdAt: string;
  updatedAt: string;
}

/**
 * The form in get, list and events, with both timestamps. The row's JSON is passed through unchanged. `highlights` is the JSON of an object
 * that lists add.
 */
export function presentEntry(contentTypeId: string, row: EntryRow, highlights?: string): string {
  const added = highlights === undefined ? '' : `,"highlights":${highlights}`;
  return `${head(contentTypeId, row)},"created_at":"${row.createdAt}","updated_at":"${row.updatedAt}"${added}}`;
}

/** The form that create returns, with `created_at` only. */
export function presentCreatedEntry(contentTypeId: string, row: EntryRow): string {
  return `${head(contentTypeId, row)},"created_at":"${row.createdAt}"}`;
}

/** The form that update returns, with `updated_at` only. */
export function presentUpdatedEntry(contentTypeId: string, row: EntryRow): string {
  return `${head(contentTypeId, row)},"updated_at":"${row.updatedAt}"}`;
}

/**
 * Same as `presentEntry`, as an SQL expression. `row` is the alias of a row of `entries`; `id` and `contentTypeId` are expressions of the
 * public IDs.
 */
export function presentEntrySql(row: string, id: string, contentTypeId: string): string {
  const time = (column: string) => `to_char(${row}.${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  return `concat('{"id":"', ${id}, '","content_type_id":"', ${contentTypeId}, '","fields":', ${row}.fields, ',"status":"', ${row}.status,
    '","created_at":"', ${time('created_at')}, '","updated_at":"', ${time('updated_at')}, '"}')::json`;
}

function head(contentTypeId: string, { id, fields, status }: EntryRow): string {
  const type = formatId('ct', contentTypeId);
  return `{"id":"${formatId('ent', id)}","content_type_id":"${type}","fields":${fields},"status":"${status}"`;
}
