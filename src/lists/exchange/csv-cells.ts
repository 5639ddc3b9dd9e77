import { runAtOnce } from '../../admission/sliced-work.js';
import type { CompiledField } from '../../fields/compiled-field.js';
import { isExactNumber } from '../../json/exact-number.js';
import { parseSent } from '../../json/parse-sent.js';
import { TooDeepError } from '../../json/parse-sliced.js';

/** What begins a formula, also in its fullwidth form. */
const SIGNS = String.raw`=+\-@\uff1d\uff0b\uff0d\uff20`;
/** A cell that a spreadsheet would run, also after the apostrophes that protect it. */
const CELL = String.raw`'*[${SIGNS}\t\r\n]`;
/**
 * What would be a cell of its own for a spreadsheet that separates cells by semicolons or tabs, as the European Excel does. It does not take
 * the quotation marks around our cell for what they are.
 */
const BEHIND = String.raw`(?<=[;\t\r\n])`;
const INNER_CELL = String.raw`'*(?:"+'*)?[${SIGNS}]`;
/** Where an apostrophe is put, and where it stands. */
const FORMULA = new RegExp(`^(?=${CELL})|${BEHIND}(?=${INNER_CELL})`, 'g');
const PROTECTED = new RegExp(`^'(?=${CELL})|${BEHIND}'(?=${INNER_CELL})`, 'g');
/** The same in JSON text, where line ends and tabs are escaped, and a sign can be. */
const INNER_SIGN = new RegExp(`(?<=;'*)[${SIGNS}]`, 'g');
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

type Kind = 'text' | 'number' | 'boolean' | 'json';

/** A cell that cannot be read as a value. */
export class CellError extends Error {}

/** How the cells of a field are written. Whatever is not a text, number or boolean is JSON text. */
function kindOf({ definition, type }: CompiledField): Kind {
  if (definition.type === 'reference') return 'json';
  const json = type.value['type'];
  if (json === 'string') return 'text';
  if (json === 'number' || json === 'integer') return 'number';
  return json === 'boolean' ? 'boolean' : 'json';
}

/** Returns the cell of a value; an empty one if there is no value. */
export function writeCell(field: CompiledField, value: unknown): string {
  if (value === undefined || value === null) return '';
  const kind = kindOf(field);
  if (kind === 'json') return JSON.stringify(value).replace(INNER_SIGN, escaped);
  const texts = (Array.isArray(value) ? value : [value]).map(String);
  const cell = field.multiple ? joinList(texts) : (texts[0] ?? '');
  return kind === 'text' ? textCell(cell) : cell;
}

/** Returns the cell of a text. Each place that a spreadsheet would run as a formula gets an apostrophe. */
export function textCell(text: string): string {
  return text.replace(FORMULA, "'");
}

/** Returns a sign as JSON text escapes it. */
function escaped(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Returns the cell of a text that should be a number. */
export function numberCell(text: string): string {
  return NUMBER.test(text) ? text : textCell(text);
}

/**
 * Returns the value of a cell; undefined for an empty one, which is no value. A text that is not of the field's type is returned as it is,
 * so that the check of the values reports it. Throws a `CellError` if a cell should be JSON and is not, and a `TooDeepError`.
 */
export function readCell(field: CompiledField, cell: string): unknown {
  if (cell === '') return undefined;
  const kind = kindOf(field);
  if (kind === 'json') return readJsonCell(field, cell);
  const text = kind === 'text' ? cell.replace(PROTECTED, '') : cell;
  const read = (one: string) => readScalar(kind, one);
  return field.multiple ? splitList(text).map(read) : read(text);
}

function readScalar(kind: Kind, text: string): unknown {
  // One that would become another number is reported as those of JSON are.
  if (kind === 'number' && NUMBER.test(text.trim())) return isExactNumber(text.trim()) ? Number(text) : Infinity;
  // Spreadsheets write booleans in capital letters.
  if (kind === 'boolean' && /^(true|false)$/i.test(text.trim())) return text.trim().toLowerCase() === 'true';
  return text;
}

/** A list is one JSON text, or one for each element. The ID of an entry needs no quotation marks. */
function readJsonCell(field: CompiledField, cell: string): unknown {
  const isId = field.definition.type === 'reference';
  const parse = (text: string): unknown => {
    try {
      return runAtOnce(parseSent(text));
    } catch (error) {
      if (error instanceof TooDeepError) throw error;
      if (isId) return text;
      throw new CellError(`${field.name} must be JSON text.`);
    }
  };
  if (!field.multiple) return parse(cell);
  try {
    const list = runAtOnce(parseSent(cell));
    if (Array.isArray(list)) return list;
  } catch (error) {
    if (error instanceof TooDeepError) throw error;
    // It is not one JSON text.
  }
  return splitList(cell).map(parse);
}

/**
 * Joins the texts of a list with bars. A bar in a text gets a backslash. Backslashes count only before a bar, where each is doubled, so that
 * any text can be read again.
 */
export function joinList(texts: readonly string[]): string {
  return texts.map((text, index) => escapeBars(text, index === texts.length - 1)).join('|');
}

/** No regular expression: with many backslashes, its time would grow with the square of their number. */
function escapeBars(text: string, isLast: boolean): string {
  let escaped = '';
  let from = 0;
  for (let bar = text.indexOf('|'); bar >= 0; bar = text.indexOf('|', from)) {
    escaped += `${text.slice(from, bar)}${'\\'.repeat(backslashesBefore(text, from, bar))}\\|`;
    from = bar + 1;
  }
  const doubled = isLast ? 0 : backslashesBefore(text, from, text.length);
  return `${escaped}${text.slice(from)}${'\\'.repeat(doubled)}`;
}

/** Returns the number of backslashes directly before `end`, back to `from`. */
function backslashesBefore(text: string, from: number, end: number): number {
  let start = end;
  while (start > from && text[start - 1] === '\\') start--;
  return end - start;
}

/** Splits what `joinList` has joined. */
export function splitList(cell: string): string[] {
  const texts: string[] = [];
  let text = '';
  let from = 0;
  for (let bar = cell.indexOf('|'); bar >= 0; bar = cell.indexOf('|', from)) {
    const backslashes = backslashesBefore(cell, from, bar);
    text += cell.slice(from, bar - Math.ceil(backslashes / 2));
    from = bar + 1;
    if (backslashes % 2 === 1) {
      text += '|';
    } else {
      texts.push(text);
      text = '';
    }
  }
  texts.push(text + cell.slice(from));
  return texts;
}
