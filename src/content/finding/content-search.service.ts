import { Injectable } from '@nestjs/common';
import { ContentTypeNames } from '../../access/narrowing/narrowing.js';
import { Database } from '../../database/database.js';
import { Problem } from '../../errors/problem.js';
import type { LocaleSettings } from '../../fields/localized/locale-settings.js';
import { type LocaleReading, sourcesOf } from '../../fields/localized/shown-value.js';
import type { Caller } from '../../http/caller.js';
import type { SearchQuery } from '../../search/search-query.js';
import type { SearchLanguage } from '../../search/stemmer.js';
import { readTyped, typedSteps } from '../../search/typed-search.js';
import { SearchIndexUpkeep } from '../entries/search-index-upkeep.js';
import { EntryHighlights } from '../lists/entry-highlights.js';
import { ofTypes } from '../narrowed-lists.js';
import { highlightersOf } from '../lists/locale-highlighters.js';
import { ALL_LOCALES, assertKnownLocale, type LocaleRequest, readingOf } from '../locales/locale-request.js';
import { localesOf } from '../locales/tenant-locales.js';
import { type CompiledType, type IndexedType, searchedAs, Schemas } from '../schemas.js';
import { type SearchedWords, searchedWords } from '../words/searched-words.js';
import {
  FIND_ENTRIES,
  FIND_ENTRIES_IN_LOCALE,
  READ_FOUND,
  READ_FOUND_IN_LOCALE,
  SEARCHED_TYPES,
  SEARCHED_TYPES_IN_LOCALE,
  type SearchedRow,
} from './found-entries.sql.js';

/** How many matches are read for each one that is shown, so that no type that comes first takes the place of better ones. */
const BREADTH = 4;

export interface ContentSearchRequest {
  search: string;
  /** IDs or slugs of content types; undefined: all. */
  types: readonly string[] | undefined;
  /** Undefined for the default locale. */
  locale: LocaleRequest | undefined;
  perPage: number;
}

/** An entry that a search found. `highlights` is JSON. */
export interface SearchedEntry extends SearchedRow {
  highlights: string;
}

/** The locale in which entries are searched and shown. */
interface ShownIn {
  request: LocaleRequest;
  reading: LocaleReading;
}

/** Finds entries of all content types that a caller may read, by what somebody types. */
@Injectable()
export class ContentSearch {
  constructor(
    private readonly database: Database,
    private readonly schemas: Schemas,
    private readonly names: ContentTypeNames,
    private readonly upkeep: SearchIndexUpkeep,
  ) {}

  /** Returns the best matches first. Throws a 400 if a content type is unknown, or the caller may not read it. */
  async find(caller: Caller, request: ContentSearchRequest): Promise<SearchedEntry[]> {
    const { search, types, perPage } = request;
    const { tenantId, share, publishedOnly } = caller;
    this.upkeep.searched(tenantId, request.locale !== undefined);
    const query = readTyped(search);
    const shown = await this.shownIn(tenantId, request.locale);
    const readable = await this.readable(caller, types);
    if (!query || query.length === 0) return [];
    const { reads } = this.database;
    const { views, ...steps } = stepsIn(await this.searched(caller, readable, shown), query);
    const limits = { withDrafts: !publishedOnly, perStep: perPage, limit: perPage * BREADTH };
    const found = await (shown
      ? reads.query(tenantId, FIND_ENTRIES_IN_LOCALE, { ...steps, views, ...limits }, share)
      : reads.query(tenantId, FIND_ENTRIES, { ...steps, ...limits }, share));
    return this.read(caller, bestOf(found, perPage), query, shown);
  }

  /** How a request shows entries. Undefined if it shows the default locale. Throws a 400 for an unknown one. */
  private async shownIn(tenantId: string, request: LocaleRequest | undefined): Promise<ShownIn | undefined> {
    if (!request) return undefined;
    const settings = await localesOf(this.database, tenantId);
    assertKnownLocale(request.locale, settings);
    return request.locale === ALL_LOCALES ? undefined : { request, reading: readingOf(settings, request) };
  }

  /** The content types that the search looks into, and what it looks at in each. */
  private async searched(
    { tenantId, share }: Caller,
    types: readonly string[] | null,
    shown: ShownIn | undefined,
  ): Promise<{ id: string; words: SearchedWords }[]> {
    const { reads } = this.database;
    const within: { id: string; language: SearchLanguage | null; locales?: string | null }[] = shown
      ? await reads.query(tenantId, SEARCHED_TYPES_IN_LOCALE, { types }, share)
      : await reads.query(tenantId, SEARCHED_TYPES, { types }, share);
    const searched: { id: string; words: SearchedWords }[] = [];
    for (const type of within) {
      const locales = type.locales ? (JSON.parse(type.locales) as LocaleSettings) : null;
      const ofType = await searchedAs({ language: type.language, locales });
      searched.push({ id: type.id, words: searchedWords({ id: type.id, ...ofType }, shown?.request) });
    }
    return searched;
  }

  private async readable(caller: Caller, names: readonly string[] | undefined): Promise<readonly string[] | null> {
    const { types: readable } = ofTypes(caller);
    if (!names) return readable;
    const found = await this.names.existing(caller.tenantId, names);
    const unknown = names.filter((name) => {
      const id = found.get(name);
      return id === undefined || readable?.includes(id) === false;
    });
    if (unknown.length === 0) return [...new Set(found.values())];
    throw Problem.parameter('types', `types must be slugs or IDs of content types, but there is no ${unknown[0]}.`);
  }

  private async read(
    caller: Caller,
    found: readonly { typeId: string; id: string }[],
    query: SearchQuery,
    shown: ShownIn | undefined,
  ): Promise<SearchedEntry[]> {
    const { tenantId, share, publishedOnly } = caller;
    const titlesOf = ({ schema: { title, localized } }: CompiledType) =>
      title && shown && localized.has(title.name) ? sourcesOf(title.name, shown.reading).join(' ') : title?.name;
    const types = new Map<string, CompiledType>();
    for (const { typeId } of found) {
      const type = types.get(typeId) ?? (await this.schemas.find(caller, typeId, false));
      if (type) types.set(typeId, type);
    }
    const rows = await this.database.reads.query(
      tenantId,
      shown ? READ_FOUND_IN_LOCALE : READ_FOUND,
      {
        types: found.map(({ typeId }) => typeId),
        ids: found.map(({ id }) => id),
        titles: found.map(({ typeId }) => {
          const type = types.get(typeId);
          return (type && titlesOf(type)) ?? '';
        }),
        withDrafts: !publishedOnly,
      },
      share,
    );
    // The fields of a type that has changed meanwhile may have other names, so nothing of its entries is shown but the title.
    const isCurrent = ({ typeId, typeVersion }: SearchedRow) => types.get(typeId)?.version === typeVersion;
    const view = {
      reading: shown?.reading,
      wordsOf: (type: IndexedType) => searchedWords(type, shown?.request),
    };
    const entries: SearchedEntry[] = [];
    for (const row of rows) {
      const type = types.get(row.typeId);
      const [highlights = '{}'] =
        type && row.fields !== null && isCurrent(row)
          ? await new EntryHighlights(type.schema, highlightersOf(type, query, view), share).of([
              { fields: row.fields },
            ])
          : [];
      entries.push({ ...row, highlights });
    }
    return entries;
  }
}

/** The steps of the search in each content type, all of one rank before those of the next. */
function stepsIn(types: readonly { id: string; words: SearchedWords }[], query: SearchQuery) {
  const ofTypes = types.map(({ id, words }) => ({ id, view: words.view ?? '', steps: typedSteps(words, query) }));
  const all = ofTypes.flatMap(({ id, view, steps }) => steps.map((step, rank) => ({ id, view, step, rank })));
  all.sort((one, other) => one.rank - other.rank);
  return {
    types: all.map(({ id }) => id),
    views: all.map(({ view }) => view),
    queries: all.map(({ step }) => step),
    ranks: all.map(({ rank }) => rank),
  };
}

/** The best of the matches, each entry once; of equal ones the newest. */
function bestOf<Found extends { rank: number; id: string }>(found: readonly Found[], limit: number): Found[] {
  const first = new Map<string, Found>();
  for (const one of found) if (!first.has(one.id)) first.set(one.id, one);
  return [...first.values()].sort((a, b) => a.rank - b.rank || (a.id < b.id ? 1 : -1)).slice(0, limit);
}
