import { formatId } from '../../ids/type-id.js';
import type { EntryStatus } from './entry.entity.js';

/** What an entry's row holds: `fields` is JSON text, timestamps are ISO 8601. */
export interface EntryRow {
  id: string;
  fields: string;
  status: EntryStatus;
  created_at: string;
  updated_at: string;
}

/** As get, list and events show it: both timestamps. The row's JSON is passed through as it is. */
export function presentEntry(contentTypeId: string, row: EntryRow): string {
  return `${head(contentTypeId, row)},"created_at":"${row.created_at}","updated_at":"${row.updated_at}"}`;
}

/** As create shows it: `created_at` only. */
export function presentCreatedEntry(contentTypeId: string, row: EntryRow): string {
  return `${head(contentTypeId, row)},"created_at":"${row.created_at}"}`;
}

/** As update shows it: `updated_at` only. */
export function presentUpdatedEntry(contentTypeId: string, row: EntryRow): string {
  return `${head(contentTypeId, row)},"updated_at":"${row.updated_at}"}`;
}

function head(contentTypeId: string, { id, fields, status }: EntryRow): string {
  const type = formatId('ct', contentTypeId);
  return `{"id":"${formatId('ent', id)}","content_type_id":"${type}","fields":${fields},"status":"${status}"`;
}
