import type { SlicedWork } from '../../admission/sliced-work.js';
import { isRecord } from '../../fields/record.js';
import { beginningOf, levelOf, MAX_ANSWER_BYTES, weightOf } from './weight.js';

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

type Container = Record<string, unknown>;

/** A text inside of a value, and where a copy of the value has it. */
interface Text {
  path: string;
  text: string;
  weight: number;
  container: Container;
  name: string;
}

/** A copy of a value in which all texts are empty. */
interface Copy {
  copy: unknown;
  texts: Text[];
}

/**
 * Cuts a value so that it weighs about `maximum`: a text to its beginning, anything else in its texts, or it is left out. `length` is that of the text, or
 * of the value as JSON.
 */
export function* cutValue(value: unknown, maximum: number, length: number): SlicedWork<CutValue> {
  if (typeof value === 'string') {
    const shown = beginningOf(value, maximum);
    return { shown, parts: [{ path: '', offset: shown.length, length }] };
  }
  const copied = yield* withoutTexts(value);
  const level = copied ? levelOf(weightsOf(copied), maximum - weightOf(copied.copy)) : 0;
  if (!copied || level < MIN_TEXT) return { shown: undefined, parts: [{ path: '', offset: 0, length }] };
  const parts: CutPart[] = [];
  for (const { path, text, weight, container, name } of copied.texts) {
    const shown = weight <= level ? text : beginningOf(text, level);
    putMember(container, name, shown);
    if (weight > level) parts.push({ path, offset: shown.length, length: text.length });
  }
  return { shown: copied.copy, parts };
}

/** Copies a value without its texts. Returns undefined if it has very many parts, or a name that no path can have. */
function* withoutTexts(value: unknown): SlicedWork<Copy | undefined> {
  const root: Container = {};
  const texts: Text[] = [];
  const waiting = [{ path: '', value, container: root, name: '' }];
  let seen = 0;
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    seen++;
    const { path, value: one, container, name } = next;
    if (typeof one === 'string') {
      putMember(container, name, '');
      texts.push({ path, text: one, weight: weightOfText(one), container, name });
      yield;
    } else if (typeof one !== 'object' || one === null) putMember(container, name, one);
    else {
      if (seen + waiting.length + sizeOf(one) > MAX_PARTS) return undefined;
      const inner = (Array.isArray(one) ? [] : {}) as Container;
      putMember(container, name, inner);
      for (const [key, part] of Object.entries(one)) {
        if (key.includes('.')) return undefined;
        // The last one that waits comes next, but members keep their order.
        putMember(inner, key, null);
        waiting.push({ path: path === '' ? key : `${path}.${key}`, value: part, container: inner, name: key });
      }
    }
  }
  return { copy: root[''], texts };
}

/** Listing the indexes of a very long list would take long. */
function sizeOf(container: object): number {
  return Array.isArray(container) ? container.length : Object.keys(container).length;
}

function weightsOf({ texts }: Copy): number[] {
  return texts.map(({ weight }) => weight);
}

/** What is far too large is not weighed exactly. */
function weightOfText(text: string): number {
  return text.length > MAX_ANSWER_BYTES ? 2 * text.length : weightOf(text);
}

/** Sets a member. An assignment to `__proto__` would do something else. */
export function putMember(container: Container, name: string, value: unknown): void {
  Object.defineProperty(container, name, { value, enumerable: true, writable: true, configurable: true });
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
