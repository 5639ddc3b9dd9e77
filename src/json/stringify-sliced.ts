import type { SlicedWork } from '../admission/sliced-work.js';

/** Values that one step writes, in less than a millisecond. */
const PIECE = 2_000;

/** `JSON.stringify` in steps, for objects that `JSON.parse` returned. */
export function* stringifySliced(value: object): SlicedWork<string> {
  return yield* new Writer().container(value);
}

class Writer {
  /** Caches the property names of very large objects, because listing them takes long. */
  private readonly names = new Map<object, readonly string[]>();

  *container(value: object): SlicedWork<string> {
    return Array.isArray(value) ? yield* this.array(value) : yield* this.object(value as Record<string, unknown>);
  }

  private *array(array: readonly unknown[]): SlicedWork<string> {
    const texts: string[] = [];
    let from = 0;
    let weight = 0;
    for (let index = 0; index < array.length; index++) {
      const element = array[index];
      const weighs = this.weigh(element, PIECE);
      if (isContainer(element) && weighs >= PIECE) {
        if (index > from) texts.push(inner(array.slice(from, index)));
        texts.push(yield* this.container(element));
        from = index + 1;
        weight = 0;
      } else if ((weight += weighs) >= PIECE) {
        texts.push(inner(array.slice(from, index + 1)));
        from = index + 1;
        weight = 0;
        yield;
      }
    }
    if (array.length > from) texts.push(inner(array.slice(from)));
    return `[${texts.join(',')}]`;
  }

  private *object(object: Record<string, unknown>): SlicedWork<string> {
    const texts: string[] = [];
    let piece = emptyObject();
    let weight = 0;
    for (const name of this.namesOf(object)) {
      const value = object[name];
      const weighs = this.weigh(value, PIECE);
      const isLarge = isContainer(value) && weighs >= PIECE;
      if (!isLarge) {
        piece[name] = value;
        weight += weighs;
      }
      if (weight > 0 && (isLarge || weight >= PIECE)) {
        texts.push(inner(piece));
        piece = emptyObject();
        weight = 0;
        yield;
      }
      if (isLarge) texts.push(`${JSON.stringify(name)}:${yield* this.container(value)}`);
    }
    if (weight > 0) texts.push(inner(piece));
    return `{${texts.join(',')}}`;
  }

  /** Returns the number of values inside a value, at most `limit`. A string counts by its length. */
  private weigh(value: unknown, limit: number): number {
    if (typeof value === 'string') return 1 + (value.length >> 6);
    if (!isContainer(value)) return 1;
    let weight = 1;
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length && weight < limit; index++) {
        weight += this.weigh(value[index], limit - weight);
      }
    } else {
      for (const name of this.namesOf(value)) {
        if (weight >= limit) break;
        weight += this.weigh((value as Record<string, unknown>)[name], limit - weight);
      }
    }
    return Math.min(weight, limit);
  }

  private namesOf(object: object): readonly string[] {
    const known = this.names.get(object);
    if (known) return known;
    const names = Object.keys(object);
    if (names.length > PIECE) this.names.set(object, names);
    return names;
  }
}

/** Returns the JSON of an array or an object without its brackets. */
function inner(value: object): string {
  return JSON.stringify(value).slice(1, -1);
}

/** Returns an object without a prototype, so that `__proto__` is an ordinary name. */
function emptyObject(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
