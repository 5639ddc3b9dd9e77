import { OpenAPIObject } from '@nestjs/swagger';
import { Ajv } from 'ajv';
import { checkDefinitions } from './definitions.js';
import { FieldDefinition } from './field-definition.js';
import { definitionSchema, valueSchemas } from './openapi.js';

/** Swagger's schema object. This test also checks, by its types, that our schemas are assignable to it. */
type SchemaObject = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string];

const validator = (schema: SchemaObject) => new Ajv({ strict: false, validateFormats: false }).compile(schema);

describe('definitionSchema', () => {
  it('lists the types and the attributes of each kind', () => {
    const content = definitionSchema('content').properties ?? {};
    const form = definitionSchema('form').properties ?? {};
    expect(content['type']?.enum).toContain('rich_text');
    expect(form['type']?.enum).toContain('textarea');
    expect(Object.keys(content)).toEqual(expect.arrayContaining(['unique', 'multiple', 'content_type', 'options']));
    expect(Object.keys(form)).not.toContain('unique');
    expect(Object.keys(form)).not.toContain('content_type');
    expect(form['max']?.description).toMatch(/Applies to text, email, textarea, number, tel, url, hidden\.$/);
  });

  it.each(['content', 'form'] as const)('has a %s example that is a valid definition', async (kind) => {
    const schema = definitionSchema(kind);
    expect(validator(schema)(schema.example)).toBe(true);
    expect(await checkDefinitions('tenant', [schema.example], kind)).toEqual([]);
  });

  it('accepts a definition with every attribute', () => {
    const everything: Required<FieldDefinition> = {
      name: 'a',
      type: 'text',
      required: true,
      min: 1,
      max: 2,
      pattern: 'x',
      unique: true,
      default: 'x',
      options: ['a'],
      multiple: true,
      label: 'A',
      help: 'B',
      content_type: 'c',
      content_types: ['c', 'd'],
    };
    expect(validator(definitionSchema('content'))(everything)).toBe(true);
    expect(Object.keys(definitionSchema('content').properties ?? {}).sort()).toEqual(Object.keys(everything).sort());
  });
});

describe.each(['content', 'form'] as const)('valueSchemas of %s', (kind) => {
  it.each(Object.entries(valueSchemas(kind)))('describe %s and contain a valid example', (_, schema) => {
    expect(schema.description).toMatch(/\.$/);
    expect(validator(schema)(schema.example)).toBe(true);
  });
});
