import { withNullTypes } from './json-types.js';

describe('a schema with `nullable`', () => {
  it('also has the type null', () => {
    expect(withNullTypes({ type: 'string', nullable: true, example: 'a' })).toEqual({
      type: ['string', 'null'],
      example: 'a',
    });
    expect(withNullTypes({ type: 'string', nullable: false })).toEqual({ type: 'string' });
  });

  it('allows null beside the values of an enum', () => {
    const expected = { type: ['string', 'null'], enum: ['a', null] };
    expect(withNullTypes({ type: 'string', nullable: true, enum: ['a'] })).toEqual(expected);
    expect(withNullTypes({ type: 'string', nullable: true, enum: ['a', null] })).toEqual(expected);
  });

  it('that refers to another one becomes a choice', () => {
    expect(withNullTypes({ allOf: [{ $ref: '#/a' }], nullable: true, description: 'A' })).toEqual({
      anyOf: [{ allOf: [{ $ref: '#/a' }] }, { type: 'null' }],
      description: 'A',
    });
    expect(withNullTypes({ $ref: '#/a', nullable: true })).toEqual({ anyOf: [{ $ref: '#/a' }, { type: 'null' }] });
  });

  it('is told apart from a property of that name and from an example', () => {
    const schema = { type: 'object', properties: { nullable: { type: 'boolean' } }, example: { nullable: true } };
    expect(withNullTypes(schema)).toEqual(schema);
  });
});
