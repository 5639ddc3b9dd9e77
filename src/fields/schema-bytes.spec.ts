import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { FieldDefinition } from './field-definition.js';
import { schemaBytes } from './schema-bytes.js';
import { Schema } from './schema.js';

const many = <Item>(length: number, item: (index: number) => Item) => Array.from({ length }, (_, index) => item(index));
const json = (value: unknown): FieldDefinition[] => [{ name: 'a', type: 'json', default: value }];

describe('the bytes of a schema', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heap = () => {
    collect();
    collect();
    return process.memoryUsage().heapUsed;
  };

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
  ])('are at least the memory that V8 takes: %s', (_name, definitions) => {
    const text = JSON.stringify(definitions);
    const count = Math.ceil(2_000_000 / text.length);
    const before = heap();
    const schemas = many(count, () => Schema.compile(JSON.parse(text) as FieldDefinition[], 'content'));
    const taken = (heap() - before) / count;
    expect(schemas).toHaveLength(count);
    expect(taken).toBeLessThan(schemaBytes(text) * 1.05);
  });
});
