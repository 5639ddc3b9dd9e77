import { readFileSync } from 'node:fs';
import { compileErrors } from '../../../test/support/compile.js';
import { runAtOnce } from '../../admission/sliced-work.js';
import type { Targets } from '../../content/content-type.entity.js';
import type { FieldDefinition } from '../../fields/field-definition.js';
import type { LocaleSettings } from '../../fields/localized/locale-settings.js';
import { Schema } from '../../fields/schema.js';
import type { ContractedForm, ContractedType } from '../contracted.js';
import { typescriptFile } from './typescript-file.js';

const MAGAZINE = new URL('../../../test/client/types/magazine.ts', import.meta.url);
const MULTILINGUAL = new URL('../../../test/client/types/multilingual.ts', import.meta.url);

function type(slug: string, name: string, fields: FieldDefinition[], targets: Targets = {}): ContractedType {
  return { id: `id of ${slug}`, slug, name, isPublic: false, schema: Schema.compile(fields, 'content'), targets };
}

function form(slug: string, name: string, fields: FieldDefinition[]): ContractedForm {
  return { slug, name, schema: Schema.compile(fields, 'form') };
}

function write(types: ContractedType[], forms: ContractedForm[] = [], locales?: LocaleSettings): string {
  return runAtOnce(typescriptFile({ tenantId: 'ten_acme', types, forms, locales }));
}

const author = type(
  'author',
  'Author',
  [
    { name: 'name', type: 'text', required: true, unique: true },
    { name: 'company', type: 'reference', content_type: 'company' },
    { name: 'photo', type: 'media' },
  ],
  { company: 'id of company' },
);

const company = type(
  'company',
  'Company',
  [
    { name: 'name', type: 'text', required: true },
    { name: 'parent', type: 'reference', content_type: 'company' },
  ],
  { parent: 'id of company' },
);

const by: FieldDefinition = { name: 'author', type: 'reference', content_type: 'author' };

const post = type(
  'post',
  'Post',
  [
    { name: 'title', type: 'text', required: true, label: 'Title', help: 'Shown in lists.\nBe short.' },
    { name: 'slug', type: 'text', unique: true },
    { name: 'published_on', type: 'date' },
    { name: 'price', type: 'number' },
    { name: 'kind', type: 'select', options: ['news', 'blog'], required: true, default: 'news' },
    { ...by, required: true, on_delete: 'refuse' },
    { ...by, name: 'editor' },
    { name: 'related', type: 'reference', content_types: ['post', 'author'], multiple: true },
    { name: 'extra', type: 'json' },
    { name: 'tags', type: 'text', multiple: true },
    { name: 'cover', type: 'media' },
    {
      name: 'seo',
      type: 'group',
      fields: [
        { name: 'title', type: 'text' },
        { ...by, name: 'reviewer' },
      ],
    },
    {
      name: 'sections',
      type: 'blocks',
      blocks: [
        { name: 'quote', fields: [{ name: 'text', type: 'text', required: true }, by] },
        {
          name: 'gallery',
          fields: [
            { name: 'images', type: 'media', multiple: true },
            { ...by, content_type: 'company', required: true, on_delete: 'refuse' },
          ],
        },
        { name: 'rule', fields: [] },
      ],
    },
  ],
  {
    author: 'id of author',
    editor: 'id of author',
    related: ['id of post', 'id of author'],
    'seo.reviewer': 'id of author',
    'sections.quote.author': 'id of author',
    'sections.gallery.author': 'id of company',
  },
);

const contact = form('contact', 'Contact', [
  { name: 'email', type: 'email', required: true },
  { name: 'message', type: 'textarea' },
  { name: 'topic', type: 'select', options: ['a', 'b'] },
  { name: 'first-name', type: 'text' },
  { name: 'cv', type: 'file' },
  { name: 'ok', type: 'checkbox' },
]);

const LOCALES: LocaleSettings = {
  default: 'en',
  locales: [
    { code: 'en', name: 'English', fallback: null },
    { code: 'fr', name: 'French', fallback: null },
    { code: 'de', name: 'German', fallback: 'en' },
    { code: 'de-CH', name: 'Swiss German', fallback: 'de' },
  ],
  revision: 1,
};

const page = type(
  'page',
  'Page',
  [
    { name: 'title', type: 'text', required: true, localized: true },
    { name: 'slug', type: 'text', unique: true, localized: true },
    { name: 'kind', type: 'select', options: ['news', 'blog'], required: true, default: 'news', localized: true },
    { name: 'tags', type: 'text', multiple: true, localized: true },
    { name: 'cover', type: 'media', localized: true },
    { name: 'seo', type: 'group', localized: true, fields: [{ name: 'title', type: 'text', required: true }] },
    { name: 'translator', type: 'reference', content_type: 'person', localized: true },
    { name: 'author', type: 'reference', content_type: 'person', required: true, on_delete: 'refuse' },
    { name: 'price', type: 'number' },
  ],
  { translator: 'id of person', author: 'id of person' },
);

const person = type('person', 'Person', [
  { name: 'name', type: 'text', required: true },
  { name: 'bio', type: 'text', required: true, localized: true },
]);

const tag = type('tag', 'Tag', [{ name: 'name', type: 'text', required: true }]);

const HOSTILE = [
  '*/ export const evil = 1; /*',
  '@ts-expect-error',
  '/* @ts-ignore',
  "'; } export const evil = 1; //",
  '`${evil}` \\',
  'a\u2028b\u202Ec\u0000d\r\n\n  \n@deprecated',
  '\ud800 \ufeff </script><!--',
];

describe('the TypeScript of a contract', () => {
  it('is the file that the types of the client are tested with', () => {
    expect(write([author, company, post], [contact])).toBe(readFileSync(MAGAZINE, 'utf8'));
  });

  it('has the locales of the tenant and the names of the localized fields', () => {
    expect(write([page, person, tag], [], LOCALES)).toBe(readFileSync(MULTILINGUAL, 'utf8'));
    const reversed = { ...LOCALES, locales: [...LOCALES.locales].reverse() };
    expect(write([page, person, tag], [], reversed)).toBe(readFileSync(MULTILINGUAL, 'utf8'));
  });

  it('compiles with fifty locales', () => {
    const codes = Array.from(
      { length: 50 },
      (_, index) => `en-${String.fromCharCode(65 + (index % 26))}${index > 25 ? 'B' : 'A'}`,
    );
    const locales = codes.map((code) => ({ code, name: code, fallback: null }));
    const text = write([page, person], [], { default: codes[0] ?? '', locales, revision: 1 });
    expect(text).toContain("    codes:\n      | 'en-AA'\n");
    expect(compileErrors({ 'schema.ts': text })).toEqual([]);
  });

  it('compiles whatever labels, hints, names and options say', () => {
    const fields = HOSTILE.flatMap((text, index): FieldDefinition[] => [
      { name: `a${index}`, type: 'text', label: text, help: HOSTILE.join('\n') },
      { name: `b${index}`, type: 'select', options: [text, 'x'], label: text },
    ]);
    const reserved = ['class', 'default', 'toString', 'await', 'type', 'fields', 'types'].map((name) => ({
      name,
      type: 'text',
    }));
    const slugs = [
      'schema',
      'json',
      'entry-id',
      'string',
      'array',
      'promise',
      '404',
      'a-1',
      'a1',
      'post',
      'post-values',
      'class',
    ];
    const types = slugs.sort().map((slug) => type(slug, HOSTILE.join(' '), [...fields, ...reserved]));
    const forms = ['post', 'contact', 'a-1', 'a1'].map((slug) =>
      form(slug, HOSTILE.join('\n'), [{ name: 'x-y', type: 'text', label: '*/' }]),
    );
    const text = write(types, forms);
    const program = `
      import type { Schema } from './schema.js';
      const options: Schema['types']['a-1']['fields']['b0'][] = ${JSON.stringify([HOSTILE[0], 'x'])};
      const slug: keyof Schema['types'] = '404';
      // @ts-expect-error It is not an option.
      options.push('y', slug);
    `;
    expect(compileErrors({ 'schema.ts': text, 'program.ts': program })).toEqual([]);
    expect(text.match(/[^\n\x20-\x7e]/g)).toBeNull();
    expect(text).not.toMatch(/^export const/m);
  });

  it('names each content type of its own, and quotes every slug', () => {
    const text = write(['a-1', 'a1', 'post', 'post-values', 'schema'].map((slug) => type(slug, slug, [])));
    const names = [...text.matchAll(/^export interface (\w+)/gm)].map(([, name]) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(
      expect.arrayContaining(['A_1', 'A1', 'Post', 'PostValues', 'PostValues_', 'Schema_', 'Schema']),
    );
    expect(text).toContain("\n    'post-values': {\n");
  });

  it('leaves a reference to content types that the contract does not have as a string', () => {
    expect(write([author])).toContain('  company?: string;\n');
  });
});
