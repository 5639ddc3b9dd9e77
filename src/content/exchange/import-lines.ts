import { isUtf8 } from 'node:buffer';
import { isHeavy } from '../../admission/heavy-work.js';
import type { Steps } from '../../admission/steps.js';
import { Problem, type ValueError } from '../../errors/problem.js';
import { listed, suggestion } from '../../errors/suggestion.js';
import type { CompiledField } from '../../fields/compiled-field.js';
import type { Schema } from '../../fields/schema.js';
import { replaceUnstorableSteps, TOO_DEEP } from '../../http/storable-values.js';
import { findJsonFault } from '../../json/json-fault.js';
import { parseSteps, TooDeepError } from '../../json/parse-steps.js';
import type { Operation } from '../bulk/operation.js';
import type { EntryStatus } from '../entries/entry.entity.js';
import { parseRecord } from '../../lists/exchange/csv.js';
import { CellError, readCell } from '../../lists/exchange/csv-cells.js';
import type { StreamedRecord } from './record-splitter.js';

/** A line is limited as the body of a request is. */
export const MAX_LINE_BYTES = 1024 * 1024;

/** What a line of an export has besides, which an import ignores. */
const IGNORED = new Set(['id', 'content_type_id', 'created_at', 'updated_at']);
const KNOWN = ['fields', 'status'];
/** At most this many unknown properties or columns are listed. */
const MAX_UNKNOWN = 100;
/** Longer names are cut in messages. */
const MAX_SHOWN = 100;
const BAD_QUOTES = 'A quotation mark is missing, or in a wrong place.';

/** How the lines of an import become operations. */
export interface LineOptions {
  typeId: string;
  schema: Schema;
  /** The unique field by which entries are found. Undefined: each line creates an entry. */
  key?: string;
  /** The status for lines without one. */
  status?: EntryStatus;
}

/** Reads one record, in steps. Returns undefined for a record that is not an entry. Throws the problem of a bad line. */
export type ReadLine = (record: StreamedRecord) => Steps<Operation | undefined>;

/** Reads lines of JSON. */
export function jsonLines(options: LineOptions): ReadLine {
  return function* (record) {
    const value = yield* parseLine(textOf(record, 'malformed_json'));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new Problem('malformed_json', 'The line must be a JSON object.');
    }
    const { fields, status, ...others } = value as Record<string, unknown>;
    const unknown = Object.keys(others).filter((name) => !IGNORED.has(name));
    const errors = unknown.slice(0, MAX_UNKNOWN).map(unknownProperty);
    if (fields === undefined) errors.push({ path: 'fields', code: 'required', message: 'fields is required.' });
    const sent = { fields, status };
    errors.unshift(...(yield* replaceUnstorableSteps(sent)));
    return operationOf(options, sent, errors);
  };
}

/** Reads CSV. The first record is the header. Throws a `HeaderProblem` if it is not one, which ends the import. */
export function csvLines(options: LineOptions): ReadLine {
  let header: readonly Column[] | undefined;
  return function* (record) {
    const cells = parseRecord(textOf(record, 'malformed_csv'));
    if (!header) {
      header = readHeader(cells, options);
      return undefined;
    }
    if (!cells) throw new Problem('malformed_csv', BAD_QUOTES);
    if (cells.slice(header.length).some(Boolean)) {
      throw new Problem('malformed_csv', `The line has ${cells.length} cells, but the header has ${header.length}.`);
    }
    const fields: Record<string, unknown> = {};
    const errors: ValueError[] = [];
    let status: unknown;
    for (const [index, column] of header.entries()) {
      const cell = cells[index] ?? '';
      if (column === 'status') status = cell === '' ? undefined : cell;
      if (typeof column === 'string') continue;
      try {
        const value = readCell(column, cell);
        if (value !== undefined) fields[column.name] = value;
      } catch (error) {
        if (!(error instanceof CellError)) throw error;
        errors.push({ path: `fields.${column.name}`, code: 'format', message: error.message });
      }
      yield;
    }
    const sent = { fields, status };
    errors.push(...(yield* replaceUnstorableSteps(sent)));
    return operationOf(options, sent, errors);
  };
}

type Column = CompiledField | 'status' | 'ignored';

/** The header of a CSV file is wrong, so that none of its lines can be read. */
export class HeaderProblem extends Problem {}

function readHeader(cells: readonly string[] | undefined, { schema, key }: LineOptions): Column[] {
  if (!cells) throw new HeaderProblem('malformed_csv', BAD_QUOTES);
  const names = cells.map((name) => name.trim());
  const errors: ValueError[] = [];
  const columns: Column[] = [];
  const seen = new Set<string>();
  for (const [index, name] of names.entries()) {
    const error = seen.has(name) ? columnTwice(name, index) : unknownColumn(schema, name, index);
    if (error) errors.push(error);
    // More errors would not help. So a header of many columns costs no more than its first ones.
    if (errors.length === MAX_UNKNOWN) break;
    seen.add(name);
    columns.push(name === 'status' ? name : (schema.field(name) ?? 'ignored'));
  }
  if (key !== undefined && !names.includes(key)) {
    errors.push({
      path: `header.${key}`,
      code: 'required',
      message: `The column ${key} is required, because it is the key.`,
    });
  }
  if (errors.length > 0) throw new HeaderProblem('validation_failed', 'The header is not valid.', errors);
  return columns;
}

function columnTwice(name: string, index: number): ValueError {
  const shown = shownColumn(name, index);
  return { path: `header.${shown}`, code: 'duplicate', message: `The column ${shown} is there twice.` };
}

function unknownColumn(schema: Schema, name: string, index: number): ValueError | undefined {
  if (name === 'status' || IGNORED.has(name) || schema.field(name)) return undefined;
  const known = [...schema.fields.map((field) => field.name), 'status'];
  const hint = suggestion(name, known) || ` The columns are ${listed(known)}.`;
  const shown = shownColumn(name, index);
  return { path: `header.${shown}`, code: 'unknown_property', message: `There is no field ${shown}.${hint}` };
}

/** A column without a name is shown as its place. */
function shownColumn(name: string, index: number): string {
  return name.slice(0, MAX_SHOWN) || String(index);
}

function operationOf(
  { typeId, key, status: fallback }: LineOptions,
  { fields, status }: { fields: unknown; status: unknown },
  errors: ValueError[],
): Operation {
  const operation: Operation = { op: 'create', typeName: { id: typeId }, fields, fatal: [], errors };
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

function textOf({ bytes }: StreamedRecord, malformed: 'malformed_json' | 'malformed_csv'): string {
  if (!bytes) throw new Problem('payload_too_large', `The line is larger than ${MAX_LINE_BYTES} bytes.`);
  if (!isUtf8(bytes)) throw new Problem(malformed, 'The line is not valid UTF-8.');
  return bytes.toString('utf8');
}

function* parseLine(text: string): Steps<unknown> {
  try {
    return isHeavy(text.length) ? yield* parseSteps(text) : (JSON.parse(text) as unknown);
  } catch (error) {
    if (error instanceof TooDeepError) throw tooDeep();
    const fault = yield* findJsonFault(text);
    throw new Problem(
      'malformed_json',
      `The line is not valid JSON${fault ? `: column ${fault.column}: ${fault.reason}` : ''}.`,
    );
  }
}

function tooDeep(): Problem {
  return Problem.invalid([{ path: 'fields', code: 'too_deep', message: TOO_DEEP }]);
}

function unknownProperty(name: string): ValueError {
  const path = name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}…` : name;
  const hint = suggestion(name, KNOWN) || ` The properties are ${listed(KNOWN)}.`;
  return { path, code: 'unknown_property', message: `${path} is not a known property.${hint}` };
}
