import { OpenAPIObject } from '@nestjs/swagger';
import { Ajv } from 'ajv';
import { definitionReference } from './definition-components.js';
import { checkDefinitions } from './definitions.js';
import { FieldDefinition, FieldKind } from '../field-definition.js';
import { definitionSchemas, describeTypes } from './openapi.js';
import { typesOf } from '../registry.js';

/** Swagger's schemas. This test also checks, by its types, that our schemas are assignable to them. */
type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

const ajv = () => new Ajv({ strict: false, validateFormats: false });

function validatorOf(kind: FieldKind, reference: object = definitionReference(kind)) {
  const schemas = definitionSchemas(kind) as Schemas;
  return ajv().compile({ ...reference, components: { schemas } });
}

const field = (rest: object) => ({ name: 'a', ...rest });

describe.each(['content', 'form'] as const)('definitions of %s fields', (kind) => {
  const isDefinition = validatorOf(kind);
  const fields = [{ name: 'b', type: 'text' }];
  const needed: Record<string, object> = {
    select: { options: ['a'] },
    reference: { content_type: 'authors' },
    group: { fields },
    blocks: { blocks: [{ name: 'c', fields }] },
  };
  const minimal = [...typesOf(kind).keys()].map((type) => field({ type, ...needed[type] }) as FieldDefinition);

  it.each(minimal)('of $type are valid without optional attributes', async (definition) => {
    expect(isDefinition(definition)).toBe(true);
    if (definition.type !== 'reference') expect(await checkDefinitions('tenant', [definition], kind)).toEqual([]);
  });

  it.each(minimal)('of $type accept exactly the attributes of the type', (definition) => {
    const { constraints = [], measures } = typesOf(kind).get(definition.type) ?? {};
    const values = {
      min: 1,
      max: 2,
      pattern: 'x',
      unique: true,
      options: ['a'],
      multiple: true,
      max_bytes: 1,
      accept: ['a/*'],
    };
    for (const [name, value] of Object.entries(values)) {
      const applies = constraints.some((constraint) => constraint === name);
      expect([name, isDefinition({ ...definition, [name]: value })]).toEqual([name, applies]);
    }
    if (constraints.includes('min')) expect(isDefinition({ ...definition, min: -1 })).toBe(measures === 'value');
  });

  it('have a type of the kind and the attributes that their type requires', () => {
    for (const wrong of [{}, { type: 'text', extra: 1 }, { type: 'nope' }, { type: 'select' }]) {
      expect([wrong, isDefinition(field(wrong))]).toEqual([wrong, false]);
    }
    expect(isDefinition({ type: 'text' })).toBe(false);
  });

  it('can be told apart by their type', () => {
    const { oneOf, discriminator } =
      definitionSchemas(kind)[kind === 'content' ? 'FieldDefinition' : 'FormFieldDefinition'] ?? {};
    expect(Object.keys(discriminator?.mapping ?? {})).toEqual([...typesOf(kind).keys()]);
    expect(oneOf?.map(({ $ref }) => $ref)).toEqual(Object.values(discriminator?.mapping ?? {}));
  });

  it('are listed with their values and attributes', () => {
    for (const [name, { constraints }] of typesOf(kind)) {
      const row = describeTypes(kind)
        .split('\n')
        .find((line) => line.startsWith(`| \`${name}\` |`));
      for (const constraint of constraints) expect(row).toContain(`\`${constraint}\``);
    }
  });

  it.each([...typesOf(kind)])('of %s describe their values with a valid example', (_, { value }) => {
    expect(value.description).toMatch(/\.$/);
    expect(ajv().compile(value)(value.example)).toBe(true);
  });
});

describe('the default of a definition', () => {
  const isDefinition = validatorOf('content');

  it('has the shape of a value, or of a list of values', () => {
    for (const right of ['x', ['x']]) expect(isDefinition(field({ type: 'text', default: right }))).toBe(true);
    for (const wrong of [1, [1], {}]) expect(isDefinition(field({ type: 'text', default: wrong }))).toBe(false);
    for (const right of [1, [{}], 'x']) expect(isDefinition(field({ type: 'json', default: right }))).toBe(true);
  });
});
