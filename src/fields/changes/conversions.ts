import type { FieldDefinition } from '../field-definition.js';
import { escapeHtml } from '../formats/escape-html.js';

/** What a conversion depends on. */
export type ConvertedField = Pick<FieldDefinition, 'type' | 'multiple' | 'html'>;

/** Leaves out of a definition what no conversion depends on. */
export function convertedField({ type, multiple, html }: ConvertedField): ConvertedField {
  return { type, ...(multiple && { multiple }), ...(html && { html }) };
}

/**
 * Returns a stored value as the field has it after a change of its type. A value that does not convert without loss is returned as it is, so
 * that the check of the new field reports it. Undefined means that no value is left: an empty list that becomes a single value.
 */
export type Conversion = (value: unknown) => unknown;

type Elements = (value: unknown) => unknown;

/** The values of these types are strings that a text can hold as they are. */
const AS_TEXT: ReadonlySet<string> = new Set(['integer', 'number', 'boolean']);

const FROM_TEXT: Readonly<Record<string, (text: string) => unknown>> = {
  integer: readCanonicalNumber,
  number: readCanonicalNumber,
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
};

/** Returns how the values of a field change with its definition; undefined if they stay as they are. */
export function conversionOf(before: ConvertedField, after: ConvertedField): Conversion | undefined {
  const wasList = before.multiple === true;
  const isList = after.multiple === true;
  // Every value is JSON already, a list too.
  if (after.type === 'json' && !isList) return undefined;
  const convert = elementsOf(before, after);
  if (wasList === isList) return wasList && convert ? eachOf(convert) : convert;
  const one: Elements = convert ?? ((value) => value);
  if (isList) return (value) => (before.type === 'json' && Array.isArray(value) ? (value as unknown[]) : [one(value)]);
  return (value) => onlyOf(value, one);
}

function elementsOf(before: ConvertedField, after: ConvertedField): Elements | undefined {
  if (after.type === 'text' && AS_TEXT.has(before.type)) return textOf;
  if (before.type !== 'text') return undefined;
  if (after.type === 'rich_text') return after.html ? undefined : ifText(escapeHtml);
  const read = Object.hasOwn(FROM_TEXT, after.type) ? FROM_TEXT[after.type] : undefined;
  return read && ifText(read);
}

function ifText(convert: (text: string) => unknown): Elements {
  return (value) => (typeof value === 'string' ? convert(value) : value);
}

function eachOf(convert: Elements): Conversion {
  return (value) => (Array.isArray(value) ? (value as unknown[]).map(convert) : value);
}

function onlyOf(value: unknown, convert: Elements): unknown {
  if (!Array.isArray(value)) return value;
  const list = value as unknown[];
  if (list.length > 1) return value;
  return list.length === 0 ? undefined : convert(list[0]);
}

function textOf(value: unknown): unknown {
  if (typeof value !== 'number' && typeof value !== 'boolean') return value;
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Reads a number from the text that it has itself. `007` and `1.50` stay texts, because they would lose their zeros. */
function readCanonicalNumber(text: string): unknown {
  if (text.length > 30) return text;
  const value = Number(text);
  return Number.isFinite(value) && textOf(value) === text ? value : text;
}
