import type { FieldType } from './attributes';

interface DefaultText {
  readonly type: FieldType;
  readonly multiple: boolean;
  /** What is typed. Empty: no default. */
  readonly default: string;
}

const NUMBERS: readonly FieldType[] = ['number', 'integer'];

/** The default value as text: that of a list with a line for each of its values. */
export function defaultInWords(value: unknown, type: FieldType): string {
  if (value === undefined) return '';
  if (type === 'json') return JSON.stringify(value, undefined, 2);
  return Array.isArray(value) ? value.map(inWords).join('\n') : inWords(value);
}

function inWords(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function defaultOf({ type, multiple, default: text }: DefaultText): unknown {
  if (text.trim() === '') return undefined;
  if (type === 'json') return JSON.parse(text) as unknown;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return multiple ? lines.map((line) => oneOf(type, line)) : oneOf(type, text);
}

function oneOf(type: FieldType, text: string): unknown {
  if (NUMBERS.includes(type)) return Number(text);
  return type === 'boolean' ? text.trim() === 'true' : text;
}

/** What is wrong with the text, as far as the browser can tell. */
export function defaultFault({ type, multiple, default: text }: DefaultText): string | undefined {
  if (text.trim() === '') return undefined;
  if (type === 'json') return isJson(text) ? undefined : 'This is not JSON.';
  if (!NUMBERS.includes(type)) return undefined;
  const numbers = multiple ? text.split('\n').filter((line) => line.trim() !== '') : [text];
  return numbers.every((each) => Number.isFinite(Number(each))) ? undefined : 'Enter a number.';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
