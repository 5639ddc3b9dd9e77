import { getHeapStatistics } from 'node:v8';

/** Maximum size of the cache of compiled content type schemas, and of the one of form schemas: 1/32 of the heap, at most 64 MiB each. */
export const SCHEMA_CACHE_BYTES = Math.min(64 * 1024 * 1024, Math.floor(getHeapStatistics().heap_size_limit / 32));

/** Maximum memory that V8 takes, as measured: for each character, each object or list, and each property or element. */
const CHARACTER = 2;
const CONTAINER = 80;
const MEMBER = 32;
/** Minimum for a schema and its entry in a cache. */
const LEAST = 1_000;

/** Estimates the memory of a schema in bytes from the JSON text of its definitions. The estimate is rather too high than too low. */
export function schemaBytes(definitions: string): number {
  let bytes = LEAST + CHARACTER * definitions.length;
  for (let at = 0; at < definitions.length; at++) {
    const character = definitions.charCodeAt(at);
    if (character === 123 /* { */ || character === 91 /* [ */) bytes += CONTAINER;
    else if (character === 44 /* , */ || character === 58 /* : */) bytes += MEMBER;
  }
  return bytes;
}
