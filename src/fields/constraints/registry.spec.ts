import { compareSchemas } from '../changes/changes.js';
import { Validation } from '../check.js';
import type { CompiledField } from '../compiled-field.js';
import { checkDefinitions } from '../definitions/definitions.js';
import type { ConstraintAttributes, ConstraintName, FieldDefinition, FieldKind } from '../field-definition.js';
import { typesOf } from '../registry.js';
import { Schema } from '../schema.js';
import { CONSTRAINTS, constraintsOf } from './registry.js';

/** Some settings of each constraint. */
const SETTINGS: { [Name in ConstraintName]: readonly ConstraintAttributes[Name][] } = {
  required: [true, false],
  min: [0, 2, 3],
  max: [3, 4, 5],
  pattern: ['a', '^[a-z@.:/]+$', 'b'],
  unique: [true, false],
  options: [['a', 'abc'], ['abc'], ['abc', 'abcd']],
  html: [true, false],
  multiple: [true, false],
  content_type: ['authors', 'companies'],
  content_types: [['authors'], ['authors', 'companies'], ['companies']],
  on_delete: ['keep', 'refuse', 'clear'],
  max_bytes: [1, 2],
  accept: [['image/*'], ['image/png']],
  fields: [[{ name: 'a', type: 'text' }], [{ name: 'a', type: 'text', max: 2 }]],
  // Items of a block that is removed are hidden, so they cannot be invalid.
  blocks: [
    [{ name: 'a', fields: [{ name: 'a', type: 'text' }] }],
    [{ name: 'a', fields: [{ name: 'a', type: 'text', max: 2 }] }],
  ],
};

const TEXTS = ['', 'a', 'ab', 'abc', 'abcd', 'abcdef', 'ab1', 'b@a.example', 'https://a.example/b', '2', '3.5', '5'];
const SINGLE = [...TEXTS, 1, 2, 3, 4, 5, 6, true, { a: 'a' }, { a: 'abc' }, { block: 'a', a: 'abc' }];
const VALUES: readonly unknown[] = [...SINGLE, [], ...SINGLE.map((value) => [value]), [1, 2, 3], ['a', 'abc', 'abcd']];

/** The definitions of a type that differ only in one constraint, with the others that it needs. */
function variants(kind: FieldKind, type: string, name: ConstraintName): FieldDefinition[] {
  const found = typesOf(kind).get(type);
  const required = (found ? constraintsOf(found) : []).filter((one) => CONSTRAINTS[one].requiredUnless);
  const replaced = required.filter((one) => CONSTRAINTS[one].requiredUnless?.includes(name));
  const needed = required.filter((one) => !replaced.includes(one));
  const others = Object.fromEntries(needed.map((one) => [one, SETTINGS[one][0]]));
  const canLack = !needed.includes(name) && replaced.length === 0;
  const without = canLack ? [{ name: 'it', type, ...others }] : [];
  return [...without, ...SETTINGS[name].map((setting) => ({ name: 'it', type, ...others, [name]: setting }))];
}

const compile = (kind: FieldKind, definition: FieldDefinition) => Schema.compile([definition], kind);

function accepts(field: CompiledField | undefined, value: unknown): boolean {
  const validation = new Validation(undefined, { missing: false });
  field?.inspect(value, validation);
  return validation.errors.length === 0;
}

const cases = (['content', 'form'] as const).flatMap((kind) =>
  [...typesOf(kind)].flatMap(([type, found]) => constraintsOf(found).map((name) => [name, type, kind] as const)),
);

describe.each(cases)('the constraint %s of the type %s of %s fields', (name, type, kind) => {
  const definitions = variants(kind, type, name);

  it('accepts its settings', async () => {
    for (const definition of definitions) {
      const errors = await checkDefinitions('tenant', [definition], kind);
      expect([definition, errors]).toEqual([definition, []]);
    }
  });

  it('has the stored values checked again by every change that may make one invalid', () => {
    for (const before of definitions) {
      for (const after of definitions) {
        const [old, next] = [compile(kind, before), compile(kind, after)];
        const stored = VALUES.filter((value) => accepts(old.field('it'), value));
        const invalid = stored.find((value) => !accepts(next.field('it'), value));
        const isChecked = compareSchemas(old, next).some(({ recheck }) => recheck);
        expect([before, after, invalid, isChecked || invalid === undefined]).toEqual([before, after, invalid, true]);
      }
    }
  });
});

describe('constraints', () => {
  it('whose change has stored values checked again check values', () => {
    for (const [name, { values, change }] of Object.entries(CONSTRAINTS)) {
      expect([name, change.concerns !== 'values' || values.of !== 'nothing']).toEqual([name, true]);
    }
  });
});
