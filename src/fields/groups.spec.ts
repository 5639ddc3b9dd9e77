import fc from 'fast-check';
import type { FieldDefinition } from './field-definition.js';
import { rowKey } from './compiled-field.js';
import { Schema } from './schema.js';

const names = ['a', 'b', 'toString'];
const LEAVES: Record<string, fc.Arbitrary<unknown>> = {
  text: fc.string(),
  number: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  boolean: fc.boolean(),
  date: fc.constant('2026-01-31'),
  json: fc.jsonValue().filter((value) => value !== null),
  reference: fc.constant('ent_01j9zt5k8h0000000000000000'),
  media: fc.constant({ url: '/a.png', alt: 'A' }),
};

/** Definitions with a value for each. */
type Sample = [FieldDefinition, unknown];

const samples = (depth: number): fc.Arbitrary<Sample[]> =>
  fc.uniqueArray(sample(depth), { minLength: 1, maxLength: 3, selector: ([{ name }]) => name });

function sample(depth: number): fc.Arbitrary<Sample> {
  const name = fc.constantFrom(...names);
  const leaf = fc.constantFrom(...Object.keys(LEAVES)).chain((type) => {
    const one = LEAVES[type] ?? fc.constant(null);
    const rest = type === 'reference' ? { content_type: 'authors' } : {};
    return fc.oneof(
      fc.tuple(name, one).map(([own, value]): Sample => [{ name: own, type, ...rest }, value]),
      fc
        .tuple(name, fc.array(one, { maxLength: 3 }))
        .map(([own, value]): Sample => [{ name: own, type, multiple: true, ...rest }, value]),
    );
  });
  if (depth === 0) return leaf;
  const inner = samples(depth - 1);
  const group = fc.tuple(name, inner).map(([own, list]): Sample => [definitionOf(own, list), valueOf(list)]);
  const groups = fc
    .tuple(name, inner, fc.nat(3))
    .map(([own, list, length]): Sample => [
      { ...definitionOf(own, list), multiple: true },
      Array.from({ length }, () => valueOf(list)),
    ]);
  const blocks = fc.tuple(name, inner, inner).map(([own, k, l]): Sample => [
    {
      name: own,
      type: 'blocks',
      blocks: Object.entries({ k, l }).map(([block, list]) => ({
        name: block,
        fields: list.map(([definition]) => definition),
      })),
    },
    [{ block: 'l', ...valueOf(l) }, { ...valueOf(k), block: 'k' }, { block: 'k' }],
  ]);
  return fc.oneof(leaf, group, groups, blocks);
}

const definitionOf = (name: string, list: Sample[]): FieldDefinition => ({
  name,
  type: 'group',
  fields: list.map(([definition]) => definition),
});
const valueOf = (list: Sample[]): Record<string, unknown> =>
  Object.fromEntries(list.map(([{ name }, value]) => [name, value]));

describe('values of groups and blocks', () => {
  it('of any definitions are stored as they were sent, and have each row of the index once', () => {
    fc.assert(
      fc.property(samples(3), (list) => {
        const schema = Schema.compile(
          list.map(([definition]) => definition),
          'content',
        );
        const values = valueOf(list);
        const checked = schema.checkWhole(values);
        expect(checked.errors).toEqual([]);
        expect(JSON.stringify(checked.values)).toBe(JSON.stringify(values));
        expect(schema.checkStored(checked.values)).toEqual([]);
        const rows = schema.indexRows(checked.values).map(rowKey);
        expect(new Set(rows).size).toBe(rows.length);
        const fields = new Set(schema.leafFields.flatMap(({ sortField, filterField }) => [sortField, filterField]));
        for (const { field } of schema.indexRows(checked.values)) expect(fields).toContain(field);
        for (const { path } of schema.references(checked.values)) expect(at({ fields: values }, path)).toMatch(/^ent_/);
      }),
    );
  });

  it('of any shape are checked without an exception', () => {
    fc.assert(
      fc.property(samples(3), fc.jsonValue(), (list, junk) => {
        const schema = Schema.compile(
          list.map(([definition]) => definition),
          'content',
        );
        const values = Object.fromEntries(list.map(([{ name }]) => [name, junk]));
        const { errors } = schema.checkWhole(values);
        for (const { path } of errors) expect(path.startsWith('fields.')).toBe(true);
      }),
    );
  });
});

/** The value at a dotted path. */
function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], value);
}
