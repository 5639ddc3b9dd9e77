import { runAtOnce } from '../../src/admission/sliced-work.js';
import { documentOf } from '../../src/content/entries/writes/stored-form.js';
import { searchedAs } from '../../src/content/schemas.js';
import { documentsIn } from '../../src/content/words/document-changes.js';
import type { FieldDefinition } from '../../src/fields/field-definition.js';
import type { LocaleSettings } from '../../src/fields/localized/locale-settings.js';
import { LOCALE_STATE } from '../../src/fields/localized/localized-names.js';
import { Schema } from '../../src/fields/schema.js';
import type { SearchLanguage } from '../../src/search/stemmer.js';
import type { TestDatabase } from './database.js';
import { tsvectorText } from './tsvector.js';

interface TypeRow {
  id: string;
  fields: FieldDefinition[];
  index_names: Record<string, string> | null;
  language: SearchLanguage | null;
  locales: LocaleSettings | null;
}

interface EntryRow {
  id: string;
  fields: Record<string, unknown>;
  status: string;
}

/** Checks that the tenant's index, unique values and counters match its entries, and that every entry fits its schema. */
export async function expectConsistentContent(database: TestDatabase, tenantId: string): Promise<void> {
  const types = await database.query<TypeRow>(
    'SELECT id, fields, index_names, language, locales FROM content_types WHERE tenant_id = $1',
    [tenantId],
  );
  for (const { id, fields, index_names, language, locales } of types) {
    const schema = Schema.compile(fields, 'content', index_names, locales);
    const type = { id, schema, ...(await searchedAs({ language, locales })) };
    const rowsOf = async <Row extends object>(text: string) => database.query<Row>(text, [tenantId, id]);
    const entries = await rowsOf<EntryRow>(
      'SELECT id, fields, status FROM entries WHERE tenant_id = $1 AND content_type_id = $2',
    );
    for (const entry of entries) {
      expect(schema.checkStored(entry.fields).filter(({ code }) => code !== 'required')).toEqual([]);
      expect(Object.keys(entry.fields).filter((name) => name !== LOCALE_STATE && !schema.field(name))).toEqual([]);
    }
    const values = await rowsOf<{ field: string; key: string; discriminator: string; id: string }>(
      'SELECT field, sort_key AS key, discriminator, entry_id AS id FROM entry_values WHERE tenant_id = $1 AND content_type_id = $2',
    );
    expect(sorted(values)).toEqual(
      sorted(entries.flatMap((entry) => schema.indexRows(entry.fields).map((row) => ({ ...row, id: entry.id })))),
    );
    const uniques = await rowsOf<{ field: string; key: string; id: string }>(
      'SELECT field, value AS key, entry_id AS id FROM entry_uniques WHERE tenant_id = $1 AND content_type_id = $2',
    );
    expect(sorted(uniques)).toEqual(
      sorted(
        entries.flatMap((entry) =>
          schema.uniques(entry.fields).map(({ field, key }) => ({ field, key, id: entry.id })),
        ),
      ),
    );
    const words = await rowsOf<{ id: string; words: string; gaps: number; sequence: string | null }>(
      'SELECT entry_id AS id, words::text AS words, gaps, sequence FROM entry_words WHERE tenant_id = $1 AND content_type_id = $2',
    );
    const documents = entries.map(({ fields: values }) => runAtOnce(documentOf(type, values)));
    const dictionary = await rowsOf<{ word: string }>(
      'SELECT word FROM search_words WHERE tenant_id = $1 AND content_type_id = $2',
    );
    const learned = new Set(dictionary.map(({ word }) => word));
    expect(documents.flatMap(({ vocabulary }) => vocabulary.filter((word) => !learned.has(word)))).toEqual([]);
    expect(words.map((row) => `${row.id} ${row.gaps} ${row.sequence} ${lexemes(row.words)}`).sort()).toEqual(
      entries
        .map(({ id: entryId }, index) => {
          const { vector, gaps, sequence } = documents[index] ?? {};
          return `${entryId} ${gaps} ${sequence} ${lexemes(vector ? tsvectorText(vector) : '')}`;
        })
        .sort(),
    );
    const inLocales = await rowsOf<{
      id: string;
      document: string;
      views: string[];
      words: string;
      gaps: number;
      sequence: string | null;
    }>(
      'SELECT entry_id AS id, document, views, words::text AS words, gaps, sequence FROM entry_locale_words WHERE tenant_id = $1 AND content_type_id = $2',
    );
    const expected = entries.flatMap((entry) =>
      runAtOnce(documentsIn(type, entry.fields)).map((one) => ({ ...one, id: entry.id })),
    );
    expect(expected.flatMap(({ vocabulary }) => vocabulary.filter((word) => !learned.has(word)))).toEqual([]);
    expect(
      inLocales
        .map((row) => [row.id, row.document, row.views, row.gaps, row.sequence, lexemes(row.words)].join())
        .sort(),
    ).toEqual(
      expected
        .map((one) => [one.id, one.name, one.views, one.gaps, one.sequence, lexemes(tsvectorText(one.vector))].join())
        .sort(),
    );
    const [counts] = await rowsOf<{ drafts: number; published: number }>(
      `SELECT coalesce(sum(drafts), 0)::int AS drafts, coalesce(sum(published), 0)::int AS published
      FROM entry_counts WHERE tenant_id = $1 AND content_type_id = $2`,
    );
    const published = entries.filter(({ status }) => status === 'published').length;
    expect(counts).toEqual({ drafts: entries.length - published, published });
  }
}

function lexemes(vector: string): string {
  return vector.split(' ').sort().join(' ');
}

function sorted(rows: readonly { field: string; key: string; discriminator?: string; id: string }[]): string[] {
  return rows.map(({ field, key, discriminator, id }) => `${field} ${key} ${discriminator} ${id}`).sort();
}
