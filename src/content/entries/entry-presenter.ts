import { formatId } from '../../ids/type-id.js';
import { defaultJson } from '../locales/shown-json.js';
import { LOCALE_STATE } from '../../fields/localized/localized-names.js';
import type { Shape } from '../reading/shape.js';
import type { EntryStatus } from './entry.entity.js';

/** A row of an entry: `fields` is JSON text, timestamps are ISO 8601. */
export interface EntryRow {
  id: string;
  fields: string;
  status: EntryStatus;
  createdAt: string;
  updatedAt: string;
  /** Null in drafts. Undefined if it was not read, because nothing shows it. */
  publishedAt?: string | null;
  /** What it has besides because of its locale, as JSON members after commas. */
  more?: string;
}

/** What a response shows besides the documented properties. */
interface ShownEntry {
  shape?: Shape;
  /** The JSON of an object that lists add. */
  highlights?: string;
}

/** The form in get, list and events, with both timestamps. JSON that has values in several locales is shown in the default one; other JSON is passed through unchanged. */
export function presentEntry(contentTypeId: string, row: EntryRow, shown?: ShownEntry): string {
  const { head, tail } = aroundFields(contentTypeId, row, shown);
  return `${head}${defaultJson(row.fields)}${tail}`;
}

/** What `presentEntry` writes before and after the values. */
export function aroundFields(
  contentTypeId: string,
  { id, status, createdAt, updatedAt, publishedAt = null, more = '' }: Omit<EntryRow, 'fields'>,
  { shape, highlights }: ShownEntry = {},
): { head: string; tail: string } {
  const published = shape === 'full' ? `,"published_at":${publishedAt === null ? 'null' : `"${publishedAt}"`}` : '';
  const added = more + published + (highlights === undefined ? '' : `,"highlights":${highlights}`);
  return {
    head: headOf(contentTypeId, id),
    tail: `,"status":"${status}","created_at":"${createdAt}","updated_at":"${updatedAt}"${added}}`,
  };
}

/** What responses show of an entry that no request can set. */
export function readOnlyProperties(
  contentTypeId: string,
  { id, createdAt, updatedAt, publishedAt }: Omit<EntryRow, 'fields'>,
) {
  return {
    id: formatId('ent', id),
    content_type_id: formatId('ct', contentTypeId),
    created_at: createdAt,
    updated_at: updatedAt,
    published_at: publishedAt,
  };
}

/** The form that create returns, with `created_at` only unless it is full. */
export function presentCreatedEntry(contentTypeId: string, row: EntryRow, shape: Shape): string {
  if (shape === 'full') return presentEntry(contentTypeId, row, { shape });
  return `${start(contentTypeId, row)},"created_at":"${row.createdAt}"${row.more ?? ''}}`;
}

/** The form that update returns, with `updated_at` only unless it is full. */
export function presentUpdatedEntry(contentTypeId: string, row: EntryRow, shape: Shape): string {
  if (shape === 'full') return presentEntry(contentTypeId, row, { shape });
  return `${start(contentTypeId, row)},"updated_at":"${row.updatedAt}"${row.more ?? ''}}`;
}

/**
 * Same as `presentEntry`, as an SQL expression of a text. `row` is the alias of a row of `entries`; `id` and `contentTypeId` are expressions of the
 * public IDs.
 */
export function presentEntrySql(row: string, id: string, contentTypeId: string): string {
  const time = (column: string) => `to_char(${row}.${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  return `concat('{"id":"', ${id}, '","content_type_id":"', ${contentTypeId}, '","fields":', ${defaultFieldsSql(`${row}.fields`)}, ',"status":"', ${row}.status,
    '","created_at":"', ${time('created_at')}, '","updated_at":"', ${time('updated_at')}, '"}')`;
}

/** Same as `defaultJson`, as an SQL expression. */
function defaultFieldsSql(fields: string): string {
  return `CASE WHEN ${fields} -> '${LOCALE_STATE}' IS NULL THEN ${fields}::text ELSE (
      SELECT concat('{', string_agg(concat(to_json(one.key), ':', one.value), ','), '}')
      FROM json_each(${fields}) AS one WHERE strpos(one.key, '${LOCALE_STATE}') = 0
    ) END`;
}

function start(contentTypeId: string, { id, fields, status }: EntryRow): string {
  return `${headOf(contentTypeId, id)}${defaultJson(fields)},"status":"${status}"`;
}

function headOf(contentTypeId: string, id: string): string {
  return `{"id":"${formatId('ent', id)}","content_type_id":"${formatId('ct', contentTypeId)}","fields":`;
}
