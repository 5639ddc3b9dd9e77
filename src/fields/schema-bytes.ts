import { getHeapStatistics } from 'node:v8';

/** What compiled schemas of content types may take, and those of forms as much again: a thirty-second of the heap each. */
export const SCHEMA_CACHE_BYTES = Math.min(64 * 1024 * 1024, Math.floor(getHeapStatistics().heap_size_limit / 32));

/** What V8 takes at most, as measured: for each character, each object or list, and each property or element. */
const CHARACTER = 2;
const CONTAINER = 64;
const MEMBER = 32;
/** A schema and its entry in a cache, however small. */
const LEAST = 1_000;

/** The bytes that a schema takes in memory, made of the JSON text of its definitions; rather too many than too few. */
export function schemaBytes(definitions: string): number {
  let bytes = LEAST + CHARACTER * definitions.length;
  for (let at = 0; at < definitions.length; at++) {
    const character = definitions.charCodeAt(at);
    if (character === 123 /* { */ || character === 91 /* [ */) bytes += CONTAINER;
    else if (character === 44 /* , */ || character === 58 /* : */) bytes += MEMBER;
  }
  return bytes;
}
