import fc from 'fast-check';
import { runAtOnce } from '../../admission/sliced-work.js';
import { propertyRuns } from '../../../test/support/property-runs.js';
import type { CompiledField } from '../compiled-field.js';
import type { BlockDefinition, FieldDefinition } from '../field-definition.js';
import { Reshaping } from './hidden-values.js';
import { Schema } from '../schema.js';

const compile = (definition: FieldDefinition): CompiledField =>
  Schema.compile([definition], 'content').fields[0] as CompiledField;
const text = (name: string): FieldDefinition => ({ name, type: 'text' });
const group = (name: string, fields: FieldDefinition[], multiple = false): FieldDefinition => ({
  name,
  type: 'group',
  fields,
  ...(multiple && { multiple }),
});
const blocks = (name: string, kinds: BlockDefinition[]): FieldDefinition => ({ name, type: 'blocks', blocks: kinds });

/** What becomes of a value that has gone through these definitions, one after the other. */
function through(value: unknown, ...definitions: FieldDefinition[]): { value: unknown; hidden?: unknown } {
  let shown: { value: unknown; hidden?: unknown } = { value };
  for (const [index, definition] of definitions.entries()) {
    const before = definitions[index - 1];
    if (!before) continue;
    const steps = new Reshaping(new Map()).value(compile(before), compile(definition), shown.value, shown.hidden);
    // Hidden values are stored as JSON.
    shown = JSON.parse(JSON.stringify(runAtOnce(steps))) as typeof shown;
  }
  return shown;
}

describe('hidden values', () => {
  const whole = blocks('s', [
    { name: 'quote', fields: [text('by'), group('of', [text('x'), text('y')], true)] },
    { name: 'image', fields: [text('alt')] },
  ]);
  const value = [
    { block: 'image', alt: 'A' },
    { block: 'quote', by: 'B', of: [{ x: '1', y: '2' }, { y: '3' }] },
    { block: 'image', alt: 'C' },
    { block: 'quote', of: [] },
  ];

  it('are those of removed definitions, at any depth', () => {
    const less = blocks('s', [{ name: 'quote', fields: [group('of', [text('y')], true)] }]);
    const { value: shown, hidden } = through(value, whole, less);
    expect(shown).toEqual([
      { block: 'quote', of: [{ y: '2' }, { y: '3' }] },
      { block: 'quote', of: [] },
    ]);
    expect(JSON.stringify(hidden)).not.toContain('"3"}');
    expect(through(value, whole, less, whole)).toEqual({ value });
  });

  it('come back one by one', () => {
    const onlyImages = blocks('s', [{ name: 'image', fields: [text('alt')] }]);
    const withoutOf = blocks('s', [{ name: 'quote', fields: [text('by')] }]);
    expect(through(value, whole, onlyImages, withoutOf).value).toEqual([
      { block: 'quote', by: 'B' },
      { block: 'quote' },
    ]);
    expect(through(value, whole, onlyImages, withoutOf, whole)).toEqual({ value });
  });

  it('are not those of a definition of the same name with another type', () => {
    const other = blocks('s', [{ name: 'image', fields: [{ name: 'alt', type: 'number' }] }]);
    const none = blocks('s', [{ name: 'image', fields: [text('x')] }]);
    expect(through(value, whole, none, other).value).toEqual([{ block: 'image' }, { block: 'image' }]);
    expect(through(value, whole, none, other, none, whole)).toEqual({ value });
  });

  it('of a list are gone when the list was replaced, those of a single group stay', () => {
    const [all, less] = [
      group('g', [text('a'), group('l', [text('b'), text('c')], true)]),
      group('g', [group('l', [text('b')], true)]),
    ];
    const first = through({ a: 'A', l: [{ b: 'B', c: 'C' }] }, all, less);
    expect(first.value).toEqual({ l: [{ b: 'B' }] });
    const replaced = { l: [{ b: 'new' }] };
    const steps = new Reshaping(new Map()).value(compile(less), compile(all), replaced, first.hidden);
    expect(runAtOnce(steps)).toEqual({ value: { a: 'A', ...replaced } });
  });

  it('need not be written if nothing moves', () => {
    const reshaping = new Reshaping(new Map());
    runAtOnce(
      reshaping.value(
        compile(group('g', [text('a'), text('b')])),
        compile(group('g', [text('a')])),
        { a: '' },
        undefined,
      ),
    );
    expect(reshaping.isMoved).toBe(false);
  });

  it('come back whole after any changes, if the definitions do', () => {
    // The name decides the type: another type of the same name would be a change of the type.
    const fields = (depth: number): fc.Arbitrary<FieldDefinition[]> =>
      fc
        .subarray(depth === 0 ? ['a', 'toString'] : ['a', 'toString', 'g', 'l', 's'], { minLength: 1 })
        .chain((names) => fc.tuple(...names.map((name) => field(name, depth))));
    const field = (name: string, depth: number): fc.Arbitrary<FieldDefinition> => {
      if (name === 'a') return fc.constant(text(name));
      if (name === 'toString') return fc.constant({ name, type: 'number' });
      if (name !== 's') return fields(depth - 1).map((list) => group(name, list, name === 'l'));
      const kinds = fc
        .subarray(['k', 'm'], { minLength: 1 })
        .chain((list) =>
          fc.tuple(...list.map((kind) => fields(depth - 1).map((inner) => ({ name: kind, fields: inner })))),
        );
      return kinds.map((list) => blocks(name, list));
    };
    const valueOf = (definition: FieldDefinition): fc.Arbitrary<unknown> => {
      const item = (list: readonly FieldDefinition[], rest: object = {}) =>
        fc
          .record(Object.fromEntries(list.map((one) => [one.name, valueOf(one)])), { requiredKeys: [] })
          .map((values): unknown => ({ ...rest, ...values }));
      if (definition.type === 'text') return fc.constantFrom('x', 'y');
      if (definition.type === 'number') return fc.nat(9);
      if (definition.blocks) {
        const kinds = definition.blocks.map(({ name: block, fields: list }) => item(list, { block }));
        return fc.array(fc.oneof(...kinds), { maxLength: 4 });
      }
      const one = item(definition.fields ?? []);
      return definition.multiple ? fc.array(one, { maxLength: 3 }) : one;
    };
    const shape = (kind: 'group' | 'list' | 'blocks') => (list: FieldDefinition[]) =>
      kind === 'blocks' ? blocks('f', [{ name: 'k', fields: list }]) : group('f', list, kind === 'list');
    const run = fc
      .constantFrom('group' as const, 'list' as const, 'blocks' as const)
      .chain((kind) =>
        fc
          .array(fields(2).map(shape(kind)), { minLength: 2, maxLength: 4 })
          .chain((definitions) => fc.tuple(fc.constant(definitions), valueOf(definitions[0] as FieldDefinition))),
      );
    fc.assert(
      fc.property(run, ([definitions, given]) => {
        const shown = through(given, ...definitions, definitions[0] as FieldDefinition);
        expect(shown.value).toEqual(JSON.parse(JSON.stringify(given)));
      }),
      { numRuns: propertyRuns(40) },
    );
  });
});
