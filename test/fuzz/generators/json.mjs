/** JSON values with parts that `JSON.stringify` cannot write, and their text. */
import fc from 'fast-check';
import { character } from './characters.mjs';
import { HOSTILE_TEXTS, LENGTHS } from './texts.mjs';

/** Text that is written unchanged: `1e400`, duplicate properties, or invalid JSON. */
export class Raw {
  constructor(text) {
    this.text = text;
  }
}

export function toJsonText(value) {
  if (value instanceof Raw) return value.text;
  if (Array.isArray(value)) return `[${value.map(toJsonText).join()}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value ?? null);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `${JSON.stringify(name)}:${toJsonText(member)}`);
  return `{${members.join()}}`;
}

/** An object with these own properties, even `__proto__`. */
export function objectOf(entries) {
  return Object.fromEntries(entries);
}

const raw = (text) => new Raw(text);

const NUMBERS = [
  0,
  -1,
  1,
  1.5,
  -0.1,
  255,
  256,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 32,
  2 ** 53 - 1,
  2 ** 53,
  -(2 ** 53),
  2 ** 63,
  1e21,
  1e300,
  Number.MAX_VALUE,
  Number.MIN_VALUE,
  raw('2.2250738585072011e-308'),
  raw('-0'),
  raw('-0.0'),
  raw('1e400'),
  raw('-1e400'),
  raw('1e-400'),
  raw('1E+2'),
  raw('1.0'),
  raw('9007199254740993'),
  raw(`1${'0'.repeat(1_000)}`),
  raw(`0.${'1'.repeat(1_000)}`),
];

const NOT_JSON = [
  'NaN',
  'Infinity',
  '01',
  '.5',
  '0x1',
  '+1',
  "'a'",
  'undefined',
  '',
  ',',
  '1 2',
  '"\\x"',
  '"\n"',
  '/*1*/1',
];

const STRUCTURES = [
  [],
  {},
  [[]],
  [null],
  [1, 'a', null, {}, []],
  { length: 1e9 },
  objectOf([['__proto__', { polluted: true }]]),
  objectOf([['constructor', { prototype: { polluted: true } }]]),
  objectOf([
    ['toString', 'x'],
    ['valueOf', 1],
    ['toJSON', 'x'],
    ['then', 'x'],
    ['hasOwnProperty', 'x'],
  ]),
  objectOf(Array.from({ length: 1_000 }, (_, index) => [`key${index}`, index])),
  Array.from({ length: 1_001 }, (_, index) => index),
  Array.from({ length: 1_001 }, () => 'a'),
  raw(`${'['.repeat(63)}${']'.repeat(63)}`),
  raw(`${'['.repeat(66)}${']'.repeat(66)}`),
  raw(`${'['.repeat(20_000)}${']'.repeat(20_000)}`),
  raw(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`),
  raw('{"a":1,"a":2}'),
  raw('{"__proto__":null,"__proto__":{"a":1}}'),
  raw(`[${'0,'.repeat(50_000)}0]`),
  raw(`{${Array.from({ length: 20_000 }, (_, index) => `"${index}":0`).join()}}`),
  raw('"\\ud800"'),
  raw('"\\u0000"'),
  raw('{"\\u0000":1}'),
  raw('{"\\udc00":1}'),
];

export const hostileNumber = fc.constantFrom(...NUMBERS);
export const hostileStructure = fc.constantFrom(...STRUCTURES);

/** A text from the catalogue, a text of a boundary length, or any other text. */
export const hostileText = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
  { weight: 2, arbitrary: longText() },
  { weight: 1, arbitrary: fc.string({ unit: character, maxLength: 40 }) },
);

/** A value that is most likely invalid in its place. */
export const hostileValue = fc.oneof(
  { weight: 6, arbitrary: hostileText },
  { weight: 3, arbitrary: hostileNumber },
  { weight: 3, arbitrary: hostileStructure },
  { weight: 2, arbitrary: fc.constantFrom(null, true, false) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 4 }).map(raw) },
  { weight: 1, arbitrary: fc.constantFrom(...NOT_JSON).map(raw) },
);

function longText() {
  const units = fc.constantFrom('a', 'ä', '😀', '漢', ' ', 'ab ', '\u0301', '"', '\\', '<b>');
  return fc
    .tuple(units, fc.constantFrom(...LENGTHS))
    .map(([unit, length]) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length));
}
