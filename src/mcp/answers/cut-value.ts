import { isRecord } from '../../fields/record.js';
import { beginningOf, levelOf, MAX_ANSWER_BYTES, weightOf, weightOfJson } from './weight.js';

/** A text that weighs less is not cut inside a value: the value is left out instead. */
const MIN_TEXT = 120;
/** A value with more parts is left out as a whole. */
const MAX_PARTS = 2_000;

/** A part of a value that was cut: the dotted path inside of it, the characters that are shown, and those that there are. */
interface CutPart {
  path: string;
  offset: number;
  length: number;
}

/** What is shown of a value. `shown` is undefined if the value is left out. */
interface CutValue {
  shown: unknown;
  parts: CutPart[];
}

interface Text {
  path: string;
  text: string;
  weight: number;
}

/**
 * Cuts a value so that it weighs about `maximum`: a text to its beginning, anything else in its texts, or it is left out. `length` is that of the text, or
 * of the value as JSON.
 */
export function cutValue(value: unknown, maximum: number, length: number): CutValue {
  if (typeof value === 'string') {
    const shown = beginningOf(value, maximum);
    return { shown, parts: [{ path: '', offset: shown.length, length }] };
  }
  const texts = textsIn(value);
  const level = texts ? levelOfTexts(texts, maximum - weightOfJson(JSON.stringify(value, withoutTexts))) : 0;
  if (!texts || level < MIN_TEXT) return { shown: undefined, parts: [{ path: '', offset: 0, length }] };
  const copy = structuredClone(value);
  const parts: CutPart[] = [];
  for (const { path, text, weight } of texts) {
    if (weight <= level) continue;
    const shown = beginningOf(text, level);
    replaceAt(copy, path.split('.'), shown);
    parts.push({ path, offset: shown.length, length: text.length });
  }
  return { shown: copy, parts };
}

/** Returns the texts inside of a value with their paths; undefined if it has very many parts, or a name that no path can have. */
function textsIn(value: unknown): Text[] | undefined {
  const found: Text[] = [];
  const waiting: { path: string; value: unknown }[] = [{ path: '', value }];
  for (let seen = 0; waiting.length > 0; seen++) {
    const next = waiting.pop();
    if (!next || seen > MAX_PARTS) return undefined;
    if (typeof next.value === 'string')
      found.push({ path: next.path, text: next.value, weight: weightOfText(next.value) });
    if (typeof next.value !== 'object' || next.value === null) continue;
    if (Object.keys(next.value).length > MAX_PARTS) return undefined;
    for (const [name, inner] of Object.entries(next.value)) {
      if (waiting.length > MAX_PARTS || name.includes('.')) return undefined;
      waiting.push({ path: next.path === '' ? name : `${next.path}.${name}`, value: inner });
    }
  }
  return found;
}

function levelOfTexts(texts: readonly Text[], maximum: number): number {
  return levelOf(
    texts.map(({ weight }) => weight),
    maximum,
  );
}

function withoutTexts(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? '' : value;
}

/** What is far too large is not weighed exactly. */
function weightOfText(text: string): number {
  return text.length > MAX_ANSWER_BYTES ? 2 * text.length : weightOf(text);
}

function replaceAt(root: unknown, [name = '', ...inner]: readonly string[], text: string): void {
  if (inner.length > 0) replaceAt((root as Record<string, unknown>)[name], inner, text);
  // An assignment to `__proto__` would do something else.
  else Object.defineProperty(root, name, { value: text, enumerable: true, writable: true, configurable: true });
}

/** Returns the value at a dotted path; undefined if there is none. */
export function valueAt(root: unknown, path: string): unknown {
  let value = root;
  for (const name of path.split('.')) {
    if (!(isRecord(value) || Array.isArray(value)) || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}
