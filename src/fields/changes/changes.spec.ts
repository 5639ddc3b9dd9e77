import { compareSchemas as compare } from './changes.js';
import type { Renames } from './renames.js';
import { Schema } from '../schema.js';
import { FieldDefinition } from '../field-definition.js';

const compareSchemas = (before: FieldDefinition[], after: FieldDefinition[], renames?: Renames) =>
  compare(Schema.compile(before, 'content'), Schema.compile(after, 'content'), { renames });
const one = (before: Partial<FieldDefinition>, after: Partial<FieldDefinition>) =>
  compareSchemas([{ name: 'a', type: 'text', ...before }], [{ name: 'a', type: 'text', ...after }])[0];

describe('compareSchemas', () => {
  it('lists no field if no stored value is affected', () => {
    const before: FieldDefinition[] = [
      { name: 'a', type: 'text', required: true, min: 2, max: 5, pattern: 'x', label: 'A' },
      { name: 'b', type: 'select', options: ['x'] },
    ];
    const after: FieldDefinition[] = [
      { name: 'b', type: 'select', options: ['y', 'x'], required: true, default: 'y' },
      { name: 'a', type: 'text', min: 1, max: 6, help: 'B' },
    ];
    expect(compareSchemas(before, before)).toEqual([]);
    expect(compareSchemas(before, after)).toEqual([]);
  });

  it('lists added and removed fields', () => {
    const before: FieldDefinition[] = [
      { name: 'a', type: 'text', unique: true },
      { name: 'j', type: 'json' },
    ];
    const after: FieldDefinition[] = [{ name: 'n', type: 'number', unique: true }];
    expect(compareSchemas(before, after)).toMatchObject([
      { name: 'a', change: 'removed', recheck: false, reindex: true, rewriteWords: true, unique: 'lifted' },
      { name: 'j', change: 'removed', recheck: false, reindex: false, rewriteWords: false, unique: undefined },
      { name: 'n', change: 'added', recheck: true, reindex: true, rewriteWords: true, unique: 'set' },
    ]);
  });

  it.each([
    [{ min: 1 }, { min: 2 }],
    [{}, { min: 0 }],
    [{ max: 2 }, { max: 1 }],
    [{}, { max: 1_000 }],
    [{}, { pattern: 'x' }],
    [{ pattern: 'x' }, { pattern: 'y' }],
    [
      { type: 'select', options: ['x', 'y'] },
      { type: 'select', options: ['x', 'z'] },
    ],
  ])('rechecks values when %j becomes %j', (before, after) => {
    expect(one(before, after)).toMatchObject({
      change: 'tightened',
      recheck: true,
      reindex: false,
      rewriteWords: false,
    });
  });

  it('reindexes a field with a new type only as far as necessary', () => {
    expect(one({}, { type: 'email' })).toMatchObject({ change: 'retyped', reindex: false, rewriteWords: false });
    expect(one({}, { type: 'rich_text' })).toMatchObject({ change: 'retyped', reindex: true, rewriteWords: true });
    expect(one({}, { type: 'rich_text', html: true })).toMatchObject({ reindex: false, rewriteWords: true });
    expect(one({}, { type: 'number' })).toMatchObject({ change: 'retyped', reindex: true, rewriteWords: true });
    expect(one({ type: 'number' }, { type: 'integer' })).toMatchObject({ reindex: false, rewriteWords: false });
    expect(one({ type: 'json' }, { type: 'media' })).toMatchObject({
      recheck: true,
      reindex: true,
      rewriteWords: true,
    });
  });

  it('follows renamed fields, also when two swap their names', () => {
    const fields: FieldDefinition[] = [
      { name: 'a', type: 'text', unique: true },
      { name: 'b', type: 'text' },
    ];
    const swapped: FieldDefinition[] = [
      { name: 'b', type: 'text', unique: true },
      { name: 'a', type: 'text' },
    ];
    const renames = new Map([
      ['b', 'a'],
      ['a', 'b'],
    ]);
    expect(compareSchemas(fields, swapped, renames)).toMatchObject([
      { name: 'b', change: 'renamed', recheck: false, reindex: true, rewriteWords: false, unique: 'set' },
      { name: 'a', change: 'renamed', recheck: false, reindex: true, rewriteWords: false },
    ]);
    expect(compareSchemas(fields, [{ name: 'b', type: 'text' }], new Map([['b', 'a']]))).toMatchObject([
      { name: 'b', change: 'removed' },
      { name: 'b', change: 'loosened', reindex: true, unique: 'lifted' },
    ]);
  });

  it('rechecks values when a list or a target changes', () => {
    expect(one({}, { multiple: true })).toMatchObject({ change: 'retyped', recheck: true, reindex: true });
    expect(one({ multiple: false }, {})).toBeUndefined();
    const target = (content_type: string) => ({ type: 'reference', content_type });
    expect(one(target('x'), target('y'))).toMatchObject({ change: 'retyped', recheck: true, reindex: false });
  });

  it('rechecks references when one of their content types is removed, and not when one is added', () => {
    const single = { type: 'reference', content_type: 'x' };
    const several = (...content_types: string[]) => ({ type: 'reference', content_types });
    expect(one(single, several('x', 'y'))).toBeUndefined();
    expect(one(several('x', 'y'), several('z', 'y', 'x'))).toBeUndefined();
    expect(one(several('x', 'y'), several('y', 'z'))).toMatchObject({ recheck: true, reindex: false });
    expect(one(several('x', 'y'), single)).toMatchObject({ recheck: true });
  });

  it('tells when values must become unique or no longer have to be', () => {
    expect(one({}, { unique: true })).toMatchObject({ change: 'tightened', recheck: false, unique: 'set' });
    expect(one({ unique: true }, {})).toMatchObject({ change: 'loosened', recheck: false, unique: 'lifted' });
    expect(one({ unique: true }, { unique: true, type: 'number' })).toMatchObject({ unique: 'set' });
    expect(one({ unique: true }, { unique: true, type: 'email' })?.unique).toBeUndefined();
  });
});
