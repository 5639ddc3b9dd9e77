import { formatId } from '../../ids/type-id.js';
import type { EntryStatus } from './entry.entity.js';

/** What an entry's row holds: `fields` is JSON text, timestamps are ISO 8601. */
export interface EntryRow {
  id: string;
  fields: string;
  status: EntryStatus;
  createdAt: string;
  updatedAt: string;
}

/** As get, list and events show it: both timestamps. The row's JSON is passed through as it is. */
export function presentEntry(contentTypeId: string, row: EntryRow): string {
  return `${head(contentTypeId, row)},"created_at":"${row.createdAt}","updated_at":"${row.updatedAt}"}`;
}

/** As create shows it: `created_at` only. */
export function presentCreatedEntry(contentTypeId: string, row: EntryRow): string {
  return `${head(contentTypeId, row)},"created_at":"${row.createdAt}"}`;
}

/** As update shows it: `updated_at` only. */
export function presentUpdatedEntry(contentTypeId: string, row: EntryRow): string {
  return `${head(contentTypeId, row)},"updated_at":"${row.updatedAt}"}`;
}

/**
 * The same as `presentEntry` in SQL, of a row of `entries` at hand as `row`; `id` and `contentTypeId` are expressions of the public ids.
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
