import { runAtOnce } from '../../src/admission/sliced-work.js';
import { typescriptFile } from '../../src/contract/typescript/typescript-file.js';
import type { FieldDefinition } from '../../src/fields/field-definition.js';
import type { LocaleSettings } from '../../src/fields/localized/locale-settings.js';
import { Schema } from '../../src/fields/schema.js';
import { compile } from '../support/compile.js';

const TYPES = 100;
const FIELDS = 100;

/** Every tenth field of each type is a reference, every tenth a group with one, so that paths of three names number in the millions. */
function definition(type: number, index: number): FieldDefinition {
  const name = `field_${index}`;
  const reference: FieldDefinition = { name, type: 'reference', content_type: `type-${(type + index) % TYPES}` };
  switch (index % 10) {
    case 0:
      return index === 0 ? { ...reference, required: true, on_delete: 'refuse' } : reference;
    case 1:
      return { name, type: 'select', options: ['a', 'b', 'c'] };
    case 2:
      return { name, type: 'number' };
    case 3:
      return {
        name,
        type: 'group',
        fields: [
          { name: 'title', type: 'text' },
          { ...reference, name: 'who' },
        ],
      };
    default:
      return { name, type: 'text', label: `Field ${index}` };
  }
}

function typeOf(type: number, more: object = {}) {
  const fields = Array.from({ length: FIELDS }, (_, index) => ({ ...definition(type, index), ...more }));
  const schema = Schema.compile(fields, 'content');
  const references = schema.leafFields.filter((field) => field.definition.type === 'reference');
  const targets = Object.fromEntries(
    references.map(({ key, definition: { content_type } }) => [key, content_type ?? '']),
  );
  return { id: `type-${type}`, slug: `type-${type}`, name: `Type ${type}`, isPublic: false, schema, targets };
}

const PROGRAM = `
  import { createClient } from '@trivet/client';
  import type { Schema } from './schema.js';
  const trivet = createClient<Schema>({ url: '', tenant: 'ten_large' });
  const { data } = await trivet.entries('type-0').list({
    filter: { field_2: { gt: 1 }, 'field_0.field_5': 'x', 'field_3.title': { contains: 'x' } },
    where: { or: [{ field_5: 'x' }, { 'field_10.field_5': 'y' }] },
    sort: ['-field_5', 'field_3.title'],
    include: ['field_0.field_0.field_0', 'field_3.who', 'field_10', 'field_20.field_10'],
    select: ['field_0', 'field_5', 'field_0.field_0', 'field_0.field_5'],
  });
  export const text: string | undefined = data[0]!.fields.field_0.fields.field_5;
  // @ts-expect-error It was not selected.
  data[0]!.fields.field_10;
  for await (const entry of trivet.entries('type-50').all({ include: ['field_10.field_10.field_10'] })) {
    entry.fields.field_10?.fields.field_10?.fields.field_10?.fields.field_5?.length;
  }
  await trivet.entries('type-3').create({ field_0: data[0]!.id, field_5: 'x' });
`;

const IN_LOCALES = `
  import { createClient } from '@trivet/client';
  import type { Schema } from './schema.js';
  const entries = createClient<Schema>({ url: '', tenant: 'ten_large' }).entries('type-0');
  const { data } = await entries.list({ locale: 'de', include: ['field_10', 'field_3.who'], sort: '-field_5' });
  export const text: string | undefined = data[0]!.fields.field_10?.fields.field_5;
  const { fields } = await entries.get('x', { locale: '*' });
  export const all: string | undefined = fields.field_5?.de ?? fields.field_0['de-CH'];
  // @ts-expect-error French falls back to no other locale.
  (await entries.get('x', { locale: 'fr' })).fields.field_0.length;
  await entries.create({ field_0: { en: data[0]!.fields.field_0 }, field_5: { de: 'x', fr: null } }, { locale: '*' });
`;

const LOCALES = {
  default: 'en',
  locales: [
    { code: 'en', name: 'English', fallback: null },
    { code: 'de', name: 'German', fallback: 'en' },
    { code: 'de-CH', name: 'Swiss German', fallback: 'de' },
    { code: 'fr', name: 'French', fallback: null },
    { code: 'it', name: 'Italian', fallback: 'en' },
  ],
  revision: 1,
};

function typescriptOf(types: ReturnType<typeof typeOf>[], locales?: LocaleSettings): string {
  types.sort((a, b) => (a.slug < b.slug ? -1 : 1));
  return runAtOnce(typescriptFile({ tenantId: 'ten_large', types, forms: [], locales }));
}

describe('a schema of 100 types of 100 fields', () => {
  it('compiles with few types instantiated, whatever its references lead to', () => {
    const types = Array.from({ length: TYPES }, (_, index) => typeOf(index));
    const { errors, instantiations } = compile({ 'schema.ts': typescriptOf(types), 'program.ts': PROGRAM });
    // An ID of a type-0 does not fit the reference of a type-3.
    expect(errors).toEqual([expect.stringMatching(/^program.ts:18 Type 'EntryId<"type-0">' is not assignable/)]);
    expect(instantiations).toBeLessThan(100_000);
  });

  it('compiles with few types instantiated if all of its fields are localized', () => {
    const types = Array.from({ length: TYPES }, (_, index) => typeOf(index, { localized: true }));
    const files = { 'schema.ts': typescriptOf(types, LOCALES), 'program.ts': IN_LOCALES };
    const { errors, instantiations } = compile(files);
    expect(errors).toEqual([]);
    expect(instantiations).toBeLessThan(100_000);
  });
});
