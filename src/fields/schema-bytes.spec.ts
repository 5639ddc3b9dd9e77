import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { FieldDefinition } from './field-definition.js';
import { schemaBytes } from './schema-bytes.js';

const path = (relative: string) => fileURLToPath(new URL(`../../${relative}`, import.meta.url));

const many = <Item>(length: number, item: (index: number) => Item) => Array.from({ length }, (_, index) => item(index));
const json = (value: unknown): FieldDefinition[] => [{ name: 'a', type: 'json', default: value }];

describe('the bytes of a schema', () => {
  let worker: Worker;
  beforeAll(() => {
    worker = new Worker(path('test/support/schema-memory.ts'), {
      execArgv: ['--import', path('scripts/typescript-worker.mjs')],
    });
  });
  afterAll(() => worker.terminate());

  it.each<[string, FieldDefinition[]]>([
    ['one field', [{ name: 'a', type: 'text' }]],
    [
      'a usual type',
      many(12, (n) => ({ name: `field${n}`, type: 'text', required: true, label: `Label ${n}`, max: 200 })),
    ],
    ['short options', many(50, (n) => ({ name: `f${n}`, type: 'select', options: many(500, (k) => `${k}`) }))],
    [
      'long options',
      many(8, (n) => ({ name: `f${n}`, type: 'select', options: many(500, (k) => `${k}`.padEnd(240)) })),
    ],
    ['numbers', json(many(100_000, (n) => n % 10))],
    ['empty lists', json(many(50_000, () => []))],
    ['empty objects', json(many(50_000, () => ({})))],
    ['objects with different keys', json(many(20_000, (n) => ({ [`k${n}`]: 1 })))],
    ['an object with many keys', json(Object.fromEntries(many(20_000, (n) => [`k${n}`, n])))],
  ])('are at least the memory that V8 takes: %s', async (_name, definitions) => {
    const text = JSON.stringify(definitions);
    worker.postMessage({ text, count: Math.ceil(2_000_000 / text.length) });
    const [taken] = (await once(worker, 'message')) as [number];
    expect(taken).toBeGreaterThan(0);
    expect(taken).toBeLessThan(schemaBytes(text) * 1.05);
  });
});
