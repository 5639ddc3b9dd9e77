import fc from 'fast-check';
import { propertyRuns } from '../../../test/support/property-runs.js';
import { tsvectorText } from '../../../test/support/tsvector.js';
import { runAtOnce } from '../../admission/sliced-work.js';
import type { FieldDefinition } from '../../fields/field-definition.js';
import { chainOf, type LocaleSettings } from '../../fields/localized/locale-settings.js';
import { LOCALE_STATE, nameIn } from '../../fields/localized/localized-names.js';
import { shownValue } from '../../fields/localized/shown-value.js';
import { Schema } from '../../fields/schema.js';
import { type IndexedType, searchedAs } from '../schemas.js';
import { type DocumentChanges, documentChanges, documentsIn, type WrittenDocument } from './document-changes.js';
import { languageOfLocale } from './locale-languages.js';
import { searchedWords } from './searched-words.js';

const SETTINGS: LocaleSettings = {
  default: 'en',
  revision: 1,
  locales: [
    { code: 'en', name: '', fallback: null },
    { code: 'de', name: '', fallback: 'en' },
    { code: 'de-CH', name: '', fallback: 'de' },
    { code: 'fr', name: '', fallback: null },
    { code: 'ja', name: '', fallback: 'fr' },
  ],
};
const CODES = SETTINGS.locales.map(({ code }) => code);
const FIELDS: FieldDefinition[] = [
  { name: 'title', type: 'text', localized: true },
  { name: 'body', type: 'text', localized: true },
  { name: 'sku', type: 'text' },
];
const ID = '01890000-0000-7000-8000-000000012345';

async function typeIn(language: 'en' | 'de' | null): Promise<IndexedType> {
  const schema = Schema.compile(FIELDS, 'content', null, SETTINGS);
  return { id: ID, schema, ...(await searchedAs({ language, locales: SETTINGS })) };
}

const word = fc.constantFrom('haus', 'hauser', 'closure', 'closures', 'moon');
const text = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));
const stored = fc
  .record({
    values: fc.dictionary(
      fc.constantFrom(
        'title',
        'body',
        ...['title', 'body'].flatMap((name) => CODES.slice(1).map((code) => nameIn(name, code))),
        'sku',
      ),
      text,
      { noNullPrototype: true },
    ),
    off: fc.subarray(CODES.slice(1)),
  })
  .map(({ values, off }): Record<string, unknown> => ({ ...values, [LOCALE_STATE]: { off } }));

/** The document that a search looks at; there must be exactly one. */
function documentOf(documents: readonly WrittenDocument[], type: IndexedType, code: string, hasFallback: boolean) {
  const { view, partition } = searchedWords(type, { locale: code, hasFallback });
  if (view === undefined) return undefined;
  const shown = documents.filter(({ views }) => views.includes(view));
  expect(shown).toHaveLength(1);
  const lexemes = tsvectorText(shown[0]!.vector)
    .split(' ')
    .map((one) => one.split(':')[0]!.slice(1, -1));
  const [own] = lexemes.map((one) => one.slice(0, 5));
  const names = typeof partition === 'string' ? [partition] : partition.map(({ name }) => name);
  expect(names).toContain(own);
  return new Set(lexemes.map((one) => one.slice(5)));
}

describe('documents in locales', () => {
  it('are named after the language of a locale', () => {
    expect(['de-CH', 'nb', 'nn-NO', 'zh-Hant', 'en'].map(languageOfLocale)).toEqual([
      'de',
      'no',
      'no',
      undefined,
      'en',
    ]);
  });

  it.each(['en', 'de', null] as const)('have the words of what is shown, with their stems (%s)', async (language) => {
    const type = await typeIn(language);
    const { stems, ownStem } = type.localeSearch!;
    fc.assert(
      fc.property(stored, (values) => {
        const documents = runAtOnce(documentsIn(type, values));
        const { off } = values[LOCALE_STATE] as { off: string[] };
        for (const code of CODES) {
          for (const hasFallback of [true, false]) {
            const lexemes = documentOf(documents, type, code, hasFallback);
            if (!lexemes) {
              expect([code, language]).toEqual(['en', 'en']);
              continue;
            }
            const chain = hasFallback ? chainOf(SETTINGS, code) : [code];
            const expected = new Set<string>();
            const expect_ = (value: unknown, stem = ownStem) => {
              for (const one of typeof value === 'string' ? value.split(' ') : []) {
                expected.add(one);
                const found = stem?.(one);
                if (found) expected.add(`%${found}`);
              }
            };
            for (const name of ['title', 'body']) {
              const shown = shownValue(values, name, { chain, default: 'en' }, off);
              if (shown) expect_(shown.value, stems.get(shown.from) ?? ((): undefined => undefined));
            }
            expect_(values['sku']);
            const found = [...lexemes].filter((one) => one !== '' && !one.startsWith('='));
            expect(new Set(found)).toEqual(expected);
          }
        }
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  it('are after each change what they would be if they were written anew', async () => {
    const type = await typeIn(null);
    const texts = (documents: readonly WrittenDocument[]) =>
      documents.map(({ name, views, vector }) => `${name} ${views.join()} ${tsvectorText(vector)}`).sort();
    fc.assert(
      fc.property(stored, stored, (before, after) => {
        const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
        const changed = names.filter((name) => name !== LOCALE_STATE && before[name] !== after[name]);
        const documents = new Map(runAtOnce(documentsIn(type, before)).map((one) => [one.name, one]));
        const changes = runAtOnce(documentChanges(type, before, after, changed));
        apply(documents, changes);
        expect(texts([...documents.values()])).toEqual(texts(runAtOnce(documentsIn(type, after))));
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it('are few: locales that show the same text share one', async () => {
    const type = await typeIn('en');
    const names = (values: Record<string, unknown>) =>
      runAtOnce(documentsIn(type, values)).map(({ name, views }) => [name, views.join()]);
    expect(names({ title: 'a', body: 'b' })).toEqual([
      ['', 'de,de-CH,fr,ja'],
      ['en+', 'de+,de-CH+'],
      ['fr+', 'ja+'],
    ]);
    const all = Object.fromEntries(
      ['title', 'body']
        .flatMap((name) => [name, ...CODES.slice(1).map((code) => nameIn(name, code))])
        .map((name) => [name, 'x']),
    );
    expect(names(all)).toEqual([
      ['de', 'de,de+'],
      ['de-CH', 'de-CH,de-CH+'],
      ['fr', 'fr'],
      ['ja', 'ja,ja+'],
    ]);
  });
});

function apply(documents: Map<string, WrittenDocument>, changes: DocumentChanges | undefined): void {
  for (const name of changes?.removed ?? []) documents.delete(name);
  for (const { name, views } of changes?.moved ?? []) documents.set(name, { ...documents.get(name)!, views });
  for (const one of changes?.written ?? []) documents.set(one.name, one);
}
