import type { SlicedWork } from '../../admission/sliced-work.js';
import { Problem } from '../../errors/problem.js';
import { type SearchDocument, type SearchSection, sectionsDocumentSliced } from '../../search/search-vector.js';
import type { IndexedType } from '../schemas.js';
import { stemOfField } from './locale-search.js';
import { type LocaleDocument, localeDocuments } from './locale-documents.js';
import { localePartition } from './searched-words.js';

type Values = Record<string, unknown>;

/**
 * Characters of the texts that one write can give to search in locales. A locale with a few values of its own shows the others of its fallback,
 * which are then in its document too.
 */
const MAX_CHARACTERS = 16 * 1024 * 1024;

/** A document in a locale, as it is stored. */
export interface WrittenDocument extends SearchDocument {
  name: string;
  views: readonly string[];
}

/** How the documents of an entry in locales change. */
export interface DocumentChanges {
  written: readonly WrittenDocument[];
  /** Documents whose text stays, and that other views show. */
  moved: readonly Pick<WrittenDocument, 'name' | 'views'>[];
  removed: readonly string[];
}

/** All documents of an entry in locales. */
export function* documentsIn(type: IndexedType, values: Values): SlicedWork<WrittenDocument[]> {
  const documents: WrittenDocument[] = [];
  for (const one of type.localeSearch ? localeDocuments(type.schema, type.localeSearch, values) : []) {
    documents.push(yield* writtenDocument(type, one, yield* sectionsOf(type, one, values)));
  }
  return documents;
}

/**
 * The documents that a change of an entry writes: those whose text is another. `before` is undefined for a new entry, and `changed` has the stored
 * names of the fields whose values differ. Returns undefined if nothing changes. Throws a 422 if there is too much text.
 */
export function* documentChanges(
  type: IndexedType,
  before: Values | undefined,
  after: Values,
  changed: readonly string[] = [],
): SlicedWork<DocumentChanges | undefined> {
  const { schema, localeSearch } = type;
  if (!localeSearch) return undefined;
  const had = new Map((before ? localeDocuments(schema, localeSearch, before) : []).map((one) => [one.name, one]));
  const has = localeDocuments(schema, localeSearch, after);
  const names = new Set(changed);
  const changesAll = changed.some((name) => schema.field(name)?.searchable && !schema.isOfLocale(name));
  const written: WrittenDocument[] = [];
  const moved: DocumentChanges['moved'][number][] = [];
  let characters = 0;
  for (const one of has) {
    const earlier = had.get(one.name);
    had.delete(one.name);
    const sources = [...one.sources.values()];
    const isSame = earlier && !changesAll && !sources.some((name) => names.has(name)) && hasSameSources(earlier, one);
    if (isSame && earlier.views.join() === one.views.join()) continue;
    if (isSame) {
      moved.push(one);
      continue;
    }
    const sections = yield* sectionsOf(type, one, after);
    characters += charactersOf(sections);
    if (characters > MAX_CHARACTERS) throw tooLong();
    written.push(yield* writtenDocument(type, one, sections));
  }
  const removed = [...had.keys()];
  return written.length + moved.length + removed.length > 0 ? { written, moved, removed } : undefined;
}

function* writtenDocument(
  { id }: IndexedType,
  { name, head, views }: LocaleDocument,
  sections: readonly SearchSection[],
): SlicedWork<WrittenDocument> {
  return { ...(yield* sectionsDocumentSliced(localePartition(id, head), sections)), name, views };
}

function hasSameSources(one: LocaleDocument, other: LocaleDocument): boolean {
  return one.head === other.head && [...one.sources.values()].join() === [...other.sources.values()].join();
}

/** The texts that the document shows, in the order of the fields. */
function* sectionsOf(
  { schema, localeSearch }: IndexedType,
  { sources }: LocaleDocument,
  values: Values,
): SlicedWork<SearchSection[]> {
  const sections: SearchSection[] = [];
  for (const own of schema.ownFields) {
    if (!own.searchable) continue;
    const isLocalized = schema.localized.has(own.name);
    const field = isLocalized ? schema.field(sources.get(own.name) ?? '') : own;
    if (!field) continue;
    const stem = localeSearch && stemOfField(localeSearch, schema, field);
    sections.push({ lines: yield* schema.searchLinesOf(field, values), stem });
  }
  return sections;
}

function charactersOf(sections: readonly SearchSection[]): number {
  let sum = 0;
  for (const { lines } of sections) for (const line of lines) for (const { text } of line) sum += text.length;
  return sum;
}

function tooLong(): Problem {
  const message = `fields must have at most ${MAX_CHARACTERS} characters of text in all locales together, each with its fallbacks.`;
  return Problem.invalid([{ path: 'fields', code: 'too_long', message }]);
}
