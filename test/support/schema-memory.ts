/**
 * A worker thread that measures the memory of schemas. In a thread of its own the heap is small: the full garbage collections, of which
 * each measurement needs some, take a thousandth of what they take in a process that has run a hundred test files.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort } from 'node:worker_threads';
import type { FieldDefinition } from '../../src/fields/field-definition.js';
import { Schema } from '../../src/fields/schema.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heap(): number {
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

/** Returns the bytes that one schema takes, as the mean of `count` of them. */
function bytesOf({ text, count }: { text: string; count: number }): number {
  const before = heap();
  const schemas = Array.from({ length: count }, () => Schema.compile(JSON.parse(text) as FieldDefinition[], 'content'));
  const taken = heap() - before;
  return taken / schemas.length;
}

parentPort?.on('message', (request: { text: string; count: number }) => parentPort?.postMessage(bytesOf(request)));
