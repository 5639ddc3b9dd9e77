import { runAtOnce } from '../../admission/sliced-work.js';
import type { FieldDefinition } from '../../fields/field-definition.js';
import { Schema } from '../../fields/schema.js';
import { conflictsOf, ownSliced, savedSliced, shownSliced, type StoredDraft } from './draft-values.js';

/** A schema of text fields. Two of the names are those of properties that every object inherits. */
const schemaOf = (...names: string[]) =>
  Schema.compile(
    names.map((name): FieldDefinition => ({ name, type: 'text' })),
    'content',
  );
const schema = schemaOf('title', 'body', 'toString', 'valueOf');

function save(live: object, set: Record<string, unknown>, removed: string[] = [], stored?: StoredDraft) {
  return runAtOnce(savedSliced(schema, JSON.stringify(live), stored, { set, removed }));
}

const conflicts = (live: object, stored: StoredDraft) =>
  runAtOnce(conflictsOf(JSON.stringify(live), runAtOnce(ownSliced(schema, stored))));

describe('the values of a draft', () => {
  it('are on top of the live ones, and its removed values are missing', () => {
    const { draft, bases, shown } = save({ title: 'a', body: 'b' }, { title: 'c' }, ['body']);
    expect(JSON.parse(draft)).toEqual({ title: 'c' });
    expect(JSON.parse(bases)).toEqual({ title: expect.any(String), body: expect.any(String) });
    expect({ ...shown, fields: JSON.parse(shown.fields) as object }).toEqual({
      fields: { title: 'c' },
      changed: ['title', 'body'],
    });
    expect(runAtOnce(shownSliced(schema, '{"title":"a","body":"b"}', { draft, bases }))).toEqual(shown);
  });

  it('of fields with the names of inherited properties are those that were sent', () => {
    const first = save({}, { title: 'a' });
    expect(first.shown.changed).toEqual(['title']);
    const second = save({}, { toString: 'x' }, ['valueOf'], first);
    expect(second.shown.changed).toEqual(['title', 'toString', 'valueOf']);
    expect(JSON.parse(second.shown.fields)).toEqual({ title: 'a', toString: 'x' });
    expect(conflicts({}, second)).toEqual([]);
    expect(conflicts({ valueOf: 'y' }, second)).toEqual(['valueOf']);
  });

  it('of fields that the type no longer has are ignored, and dropped with the next change', () => {
    const stored = save({ body: 'b' }, { title: 'a', body: 'c' });
    const smaller = schemaOf('title');
    expect(runAtOnce(shownSliced(smaller, '{}', stored))).toEqual({ fields: '{"title":"a"}', changed: ['title'] });
    const next = runAtOnce(savedSliced(smaller, '{}', stored, { set: { title: 'x' }, removed: [] }));
    expect([next.draft, Object.keys(JSON.parse(next.bases) as object)]).toEqual(['{"title":"x"}', ['title']]);
  });
});

describe('the conflicts of a draft', () => {
  it('are the own fields whose live value differs from the one when they were first saved', () => {
    const first = save({ title: 'a' }, { title: 'b', body: 'c' });
    expect(conflicts({ title: 'a' }, first)).toEqual([]);
    expect(conflicts({ title: 'b', valueOf: 'x' }, first)).toEqual(['title']);
    expect(conflicts({ body: 'c' }, first)).toEqual(['title', 'body']);
    const second = save({ title: 'z', body: 'z' }, { title: 'b', valueOf: 'v' }, [], first);
    expect(conflicts({ title: 'a', valueOf: 'v' }, second)).toEqual(['valueOf']);
  });
});
