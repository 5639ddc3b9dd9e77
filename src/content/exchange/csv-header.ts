import { isUtf8 } from 'node:buffer';
import type { ValueError } from '../../errors/problem.js';
import type { CompiledField } from '../../fields/compiled-field.js';
import { type LocaleSettings, otherCodes } from '../../fields/localized/locale-settings.js';
import { isStoredName, nameIn, ownName } from '../../fields/localized/localized-names.js';
import type { Schema } from '../../fields/schema.js';
import { parseRecord } from '../../lists/exchange/csv.js';
import { assertEncoding, NO_UTF_8 } from '../../lists/exchange/line-text.js';
import type { StreamedRecord } from '../../lists/exchange/record-splitter.js';
import { FileProblem, MAX_LINE_BYTES } from '../../lists/exchange/streamed-import.js';
import { trimBlanks } from '../../validation/blank.js';
import { listed, suggestion } from '../../validation/suggestion.js';
import { ALL_LOCALES } from '../locales/locale-request.js';

/** What a line of an export has besides, which an import ignores. */
export const IGNORED = new Set(['id', 'content_type_id', 'created_at', 'updated_at', 'published_at', 'fallbacks']);
/** At most this many unknown columns are listed. */
const MAX_UNKNOWN = 100;
/** Longer names are cut in messages. */
const MAX_SHOWN = 100;
export const BAD_QUOTES = 'A quotation mark is missing, or in a wrong place.';

/** What decides how a header is read. */
interface HeaderOptions {
  schema: Schema;
  /** Those of the type's entries. Null if it has no localized fields. */
  locales: LocaleSettings | null;
  /** The unique field by which entries are found. */
  key?: string;
  /** The locale of the values. Undefined: the columns name it, or it is the default one. */
  locale?: string;
}

/** A column with values of a field: in the locale `code` if the columns name the locales. */
export interface FieldColumn {
  field: CompiledField;
  name: string;
  code?: string;
}

export type Column = FieldColumn | 'status' | 'ignored' | 'nameless';

export interface Header {
  columns: readonly Column[];
  /** The locale of the lines: `*` if the columns name those of their values. */
  locale?: string;
}

/** Reads the first record of CSV. Throws a `FileProblem` if it is no header of the type. */
export function readHeader(record: StreamedRecord, { schema, locales, key, locale }: HeaderOptions): Header {
  const names = headerNames(record);
  const isByLocale = locale === ALL_LOCALES || (locale === undefined && names.some(isStoredName));
  const known = knownColumns(schema, isByLocale ? locales : null);
  const errors: ValueError[] = [];
  const columns: Column[] = [];
  const seen = new Set<string>();
  for (const name of names) {
    if (name === '') {
      columns.push('nameless');
      continue;
    }
    const column = known.get(name) ?? (IGNORED.has(name) ? 'ignored' : undefined);
    // A column of the default locale may name it, or not.
    const place = typeof column === 'object' ? column.field.name : name;
    if (seen.has(place)) errors.push(columnTwice(name));
    else if (column) columns.push(column);
    else errors.push(unknownColumn(name, [...known.keys()], isOfLocale(schema, name) ? locale : undefined));
    // More errors would not help. So a header of many columns costs no more than its first ones.
    if (errors.length === MAX_UNKNOWN) break;
    seen.add(place);
  }
  if (key !== undefined && !names.some((name) => (isByLocale ? ownName(name) : name) === key)) {
    errors.push({
      path: `header.${key}`,
      code: 'required',
      message: `The column ${key} is required, because it is the key.`,
    });
  }
  if (errors.length > 0) throw new FileProblem('validation_failed', 'The header is not valid.', errors);
  return { columns, locale: isByLocale ? ALL_LOCALES : locale };
}

/** The columns that there may be, by name. With `locales`, localized fields have one for each. */
function knownColumns(schema: Schema, locales: LocaleSettings | null): Map<string, FieldColumn | 'status'> {
  const known = new Map<string, FieldColumn | 'status'>();
  for (const field of schema.ownFields) {
    const { name } = field;
    if (!locales || !schema.localized.has(name)) {
      known.set(name, { field, name });
      continue;
    }
    const standard = { field, name, code: locales.default };
    known.set(name, standard).set(nameIn(name, locales.default), standard);
    for (const code of otherCodes(locales)) {
      const inLocale = schema.field(nameIn(name, code));
      if (inLocale) known.set(inLocale.name, { field: inLocale, name, code });
    }
  }
  return known.set('status', 'status');
}

/** Whether the name is that of a localized field in a locale. */
function isOfLocale(schema: Schema, name: string): boolean {
  return isStoredName(name) && schema.isOfLocale(name);
}

/** Returns the names of the columns; an empty text for one without a name. */
function headerNames(record: StreamedRecord): string[] {
  const malformed = (detail: string) => new FileProblem('malformed_csv', detail);
  const { bytes, line, lastLine, separator } = record;
  assertEncoding(record, 'malformed_csv');
  if (!bytes) throw new FileProblem('payload_too_large', `The header is larger than ${MAX_LINE_BYTES} bytes.`);
  if (!isUtf8(bytes)) throw malformed(`The header ${NO_UTF_8}`);
  const text = bytes.toString('utf8');
  if (text.includes('\r')) throw malformed('The lines must end with a line feed, not with a carriage return alone.');
  const cells = parseRecord(text, separator);
  if (!cells) throw malformed(`The header is not valid. ${BAD_QUOTES}`);
  if (lastLine > line) throw malformed(`The header must be one line, but it runs from line ${line} to ${lastLine}.`);
  const names = cells.map(trimBlanks);
  if (!names.some(Boolean)) throw malformed('The first line must have the names of the columns, but it has none.');
  return names;
}

function columnTwice(name: string): ValueError {
  const shown = name.slice(0, MAX_SHOWN);
  return { path: `header.${shown}`, code: 'duplicate', message: `The column ${shown} is there twice.` };
}

/** `locale`: that of all values, although the column names one. */
function unknownColumn(name: string, known: readonly string[], locale: string | undefined): ValueError {
  const shown = name.slice(0, MAX_SHOWN);
  const path = `header.${shown}`;
  const isOther = locale !== undefined && locale !== ALL_LOCALES;
  if (isOther) {
    const message = `All values are those of ${locale}, so no column names a locale. Send locale=* for a file with ${shown}.`;
    return { path, code: 'unknown_property', message };
  }
  const hint = suggestion(name, [...known]) || ` The columns are ${listed([...known])}.`;
  return { path, code: 'unknown_property', message: `There is no field ${shown}.${hint}` };
}
