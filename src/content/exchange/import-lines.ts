import type { SlicedWork } from '../../admission/sliced-work.js';
import { Problem, type ValueError } from '../../errors/problem.js';
import { listed, suggestion } from '../../validation/suggestion.js';
import type { LocaleSettings } from '../../fields/localized/locale-settings.js';
import { isRecord, supplied } from '../../fields/record.js';
import type { Schema } from '../../fields/schema.js';
import { replaceUnstorableSliced } from '../../http/bodies/storable-values.js';
import { TooDeepError } from '../../json/parse-sliced.js';
import { readLocaleOf } from '../bulk/read-operations.js';
import type { BulkOperation } from '../bulk/operation.js';
import type { EntryStatus } from '../entries/entry.entity.js';
import { parseId, timeOf } from '../../ids/type-id.js';
import { parseRecord } from '../../lists/exchange/csv.js';
import { CellError, readCell } from '../../lists/exchange/csv-cells.js';
import type { StreamedRecord } from '../../lists/exchange/record-splitter.js';
import { assertLinesOfJson, parseLine, textOf, tooDeep } from '../../lists/exchange/line-text.js';
import { isBlank } from '../../validation/blank.js';
import { BAD_QUOTES, type Column, type FieldColumn, type Header, IGNORED, readHeader } from './csv-header.js';

const KNOWN = ['fields', 'locale', 'status'];
/** At most this many unknown properties are listed. */
const MAX_UNKNOWN = 100;
/** Longer names are cut in messages. */
const MAX_SHOWN = 100;

/** How the lines of an import become operations. */
export interface LineOptions {
  typeId: string;
  schema: Schema;
  /** Those of the type's entries. Null if it has no localized fields. */
  locales: LocaleSettings | null;
  /** The unique field by which entries are found. Undefined: each line creates an entry. */
  key?: string;
  /** The status for lines without one. */
  status?: EntryStatus;
  /** The locale of lines that have none. */
  locale?: string;
  /** Whether new entries get the IDs of their lines. */
  keepsIds?: boolean;
}

/** Reads one record, in steps. Returns undefined for a record that is not an entry. Throws the problem of a bad line. */
export type ReadLine = (record: StreamedRecord) => SlicedWork<BulkOperation | undefined>;

/** Reads lines of JSON. Throws a `FileProblem` if the body is something else, which ends the import. */
export function jsonLines(options: LineOptions): ReadLine {
  let isFirst = true;
  return function* (record) {
    if (isFirst) assertLinesOfJson(record);
    isFirst = false;
    const text = textOf(record, 'malformed_json');
    if (isBlank(text)) return undefined;
    const value = yield* parseLine(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new Problem('malformed_json', 'The line must be a JSON object.');
    }
    const { fields, status, locale, ...others } = value as Record<string, unknown>;
    const unknown = Object.keys(others).filter((name) => !IGNORED.has(name));
    const errors = unknown.slice(0, MAX_UNKNOWN).map(unknownProperty);
    if (fields === undefined) errors.push({ path: 'fields', code: 'required', message: 'fields is required.' });
    const sent = { fields, status };
    errors.unshift(...(yield* replaceUnstorableSliced(sent)));
    const operation = operationOf(options, sent, errors);
    const id = others['id'] ?? undefined;
    if (options.keepsIds && id !== undefined) keepId(operation, id);
    const sentIn = readLocaleOf(locale, errors) ?? options.locale;
    return sentIn === undefined ? operation : { ...operation, locale: sentIn };
  };
}

/** Reads CSV. The first record is the header. Throws a `FileProblem` if it is not one, which ends the import. */
export function csvLines(options: LineOptions): ReadLine {
  let header: Header | undefined;
  return function* (record) {
    if (!header) {
      header = readHeader(record, options);
      return undefined;
    }
    const { columns, locale } = header;
    const cells = cellsOf(record, columns);
    // Spreadsheets write such rows for cells that have a format only.
    if (!cells.some(Boolean)) return undefined;
    const fields: Record<string, unknown> = {};
    const errors: ValueError[] = [];
    let status: unknown;
    for (const [index, column] of columns.entries()) {
      const cell = cells[index] ?? '';
      if (column === 'nameless' && cell !== '') {
        throw new Problem('malformed_csv', `Column ${index + 1} has a value, but no name in the header.`);
      }
      if (column === 'status') status = cell === '' ? undefined : cell;
      if (typeof column === 'string') continue;
      try {
        const value = readCell(column.field, cell);
        if (value !== undefined) put(fields, column, value);
      } catch (error) {
        if (error instanceof TooDeepError) throw tooDeep();
        if (!(error instanceof CellError)) throw error;
        errors.push({ path: ['fields', ...placeOf(column)].join('.'), code: 'format', message: error.message });
      }
      yield;
    }
    const sent = { fields, status };
    errors.push(...(yield* replaceUnstorableSliced(sent)));
    const operation = operationOf(options, sent, errors);
    return locale === undefined ? operation : { ...operation, locale };
  };
}

/** Puts the value of a cell to the others of its record. */
function put(fields: Record<string, unknown>, { name, code }: FieldColumn, value: unknown): void {
  const others = supplied(fields, name);
  if (code === undefined) fields[name] = value;
  else fields[name] = isRecord(others) ? { ...others, [code]: value } : { [code]: value };
}

function placeOf({ name, code }: FieldColumn): string[] {
  return code === undefined ? [name] : [name, code];
}

/** Returns the cells of a record below the header. Throws if quotation marks are wrong, or if there are too many cells. */
function cellsOf(record: StreamedRecord, header: readonly Column[]): readonly string[] {
  const { line, lastLine } = record;
  const cells = parseRecord(textOf(record, 'malformed_csv'), record.separator);
  // A record of several lines that ends too early began with a stray quotation mark.
  if (!cells || (lastLine > line && cells.length < header.length)) {
    const lost = lastLine > line ? ` So lines ${line} to ${lastLine} could not be read.` : '';
    throw new Problem('malformed_csv', BAD_QUOTES + lost);
  }
  if (cells.slice(header.length).some(Boolean)) {
    throw new Problem('malformed_csv', `The line has ${cells.length} cells, but the header has ${header.length}.`);
  }
  return cells;
}

function operationOf(
  { typeId, key, status: fallback }: LineOptions,
  { fields, status }: { fields: unknown; status: unknown },
  errors: ValueError[],
): BulkOperation {
  const operation: BulkOperation = { op: 'create', typeName: { id: typeId }, fields, fatal: [], errors };
  if (key !== undefined) {
    operation.op = 'upsert';
    const isObject = typeof fields === 'object' && fields !== null && Object.hasOwn(fields, key);
    operation.key = { field: key, value: isObject ? (fields as Record<string, unknown>)[key] : undefined };
  }
  if (status === undefined) operation.status = fallback;
  else if (status === 'draft' || status === 'published') operation.status = status;
  else errors.push({ path: 'status', code: 'options', message: 'status must be draft or published.' });
  return operation;
}

function keepId(operation: BulkOperation, sent: unknown): void {
  operation.op = 'upsert';
  operation.keptId = typeof sent === 'string' ? parseId('ent', sent) : undefined;
  if (operation.keptId !== undefined && isFromPast(operation.keptId)) return;
  const message = 'id must be the ID of an entry, with a time that is not in the future.';
  operation.fatal.push({ path: 'id', code: 'format', message });
}

/** Whether it is a UUID of version 7 that the service could have made. */
function isFromPast(uuid: string): boolean {
  return /^.{14}7.{4}[89ab]/.test(uuid) && timeOf(uuid).getTime() <= Date.now();
}

function unknownProperty(name: string): ValueError {
  const path = name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}…` : name;
  const hint = suggestion(name, KNOWN) || ` The properties are ${listed(KNOWN)}.`;
  return { path, code: 'unknown_property', message: `${path} is not a known property.${hint}` };
}
