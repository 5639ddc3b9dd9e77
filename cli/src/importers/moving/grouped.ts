import { createHash } from 'node:crypto';
import type { Spool } from './spool.js';

/** A list is divided into so many parts, of which one is in the memory. */
const PARTS = 64;

/** The values of a list, those with the same key together. Holds a part of them in the memory. */
export async function* keyedGroups<Value>(
  spool: Spool,
  list: string,
  keyOf: (value: Value) => string,
): AsyncGenerator<{ key: string; values: Value[] }> {
  const name = (part: number) => `${list}, part ${part}`;
  for await (const value of spool.values<Value>(list)) await spool.add(name(partOf(keyOf(value))), value);
  for (let part = 0; part < PARTS; part++) {
    const groups = new Map<string, Value[]>();
    for await (const value of spool.values<Value>(name(part))) {
      const key = keyOf(value);
      groups.set(key, [...(groups.get(key) ?? []), value]);
    }
    for (const [key, values] of groups) yield { key, values };
  }
}

function partOf(key: string): number {
  return createHash('sha1').update(key).digest()[0]! % PARTS;
}
