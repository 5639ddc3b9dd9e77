import { Injectable } from '@nestjs/common';
import { ContentTypeNames } from '../../access/narrowing/narrowing.js';
import { Database } from '../../database/database.js';
import { Problem } from '../../errors/problem.js';
import type { Caller } from '../../http/caller.js';
import { Highlighter } from '../../search/highlighter.js';
import type { SearchQuery } from '../../search/search-query.js';
import type { SearchLanguage } from '../../search/stemmer.js';
import { readTyped, typedSteps } from '../../search/typed-search.js';
import { partitionOf } from '../../search/words.js';
import { SearchIndexUpkeep } from '../entries/search-index-upkeep.js';
import { EntryHighlights } from '../lists/entry-highlights.js';
import { ofTypes } from '../narrowed-lists.js';
import { type CompiledType, Schemas, stemmerOf } from '../schemas.js';
import { FIND_ENTRIES, type SearchedRow, READ_FOUND, SEARCHED_TYPES } from './found-entries.sql.js';

/** How many matches are read for each one that is shown, so that no type that comes first takes the place of better ones. */
const BREADTH = 4;

export interface ContentSearchRequest {
  search: string;
  /** IDs or slugs of content types; undefined: all. */
  types: readonly string[] | undefined;
  perPage: number;
}

/** An entry that a search found. `highlights` is JSON. */
export interface SearchedEntry extends SearchedRow {
  highlights: string;
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
  async find(caller: Caller, { search, types, perPage }: ContentSearchRequest): Promise<SearchedEntry[]> {
    const { tenantId, share, publishedOnly } = caller;
    this.upkeep.searched(tenantId);
    const query = readTyped(search);
    const readable = await this.readable(caller, types);
    if (!query || query.length === 0) return [];
    const within = await this.database.reads.query(tenantId, SEARCHED_TYPES, { types: readable }, share);
    const steps = await stepsIn(within, query);
    const found = await this.database.reads.query(
      tenantId,
      FIND_ENTRIES,
      { ...steps, withDrafts: !publishedOnly, perStep: perPage, limit: perPage * BREADTH },
      share,
    );
    return this.read(caller, bestOf(found, perPage), query);
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
  ): Promise<SearchedEntry[]> {
    const { tenantId, share, publishedOnly } = caller;
    const types = new Map<string, CompiledType>();
    for (const { typeId } of found) {
      const type = types.get(typeId) ?? (await this.schemas.find(caller, typeId, false));
      if (type) types.set(typeId, type);
    }
    const rows = await this.database.reads.query(
      tenantId,
      READ_FOUND,
      {
        types: found.map(({ typeId }) => typeId),
        ids: found.map(({ id }) => id),
        titles: found.map(({ typeId }) => types.get(typeId)?.schema.title?.name ?? ''),
        withDrafts: !publishedOnly,
      },
      share,
    );
    // The fields of a type that has changed meanwhile may have other names, so nothing of its entries is shown but the title.
    const isCurrent = ({ typeId, typeVersion }: SearchedRow) => types.get(typeId)?.version === typeVersion;
    const entries: SearchedEntry[] = [];
    for (const row of rows) {
      const type = types.get(row.typeId);
      const [highlights = '{}'] =
        type && row.fields !== null && isCurrent(row)
          ? await new EntryHighlights(type.schema, new Highlighter(query, type.stem), share).of([
              { fields: row.fields },
            ])
          : [];
      entries.push({ ...row, highlights });
    }
    return entries;
  }
}

/** The steps of the search in each content type, all of one rank before those of the next. */
async function stepsIn(types: readonly { id: string; language: SearchLanguage | null }[], query: SearchQuery) {
  const ofTypes: { id: string; steps: string[] }[] = [];
  for (const { id, language } of types) {
    ofTypes.push({ id, steps: typedSteps({ partition: partitionOf(id), stem: await stemmerOf({ language }) }, query) });
  }
  const all = ofTypes.flatMap(({ id, steps }) => steps.map((step, rank) => ({ id, step, rank })));
  all.sort((one, other) => one.rank - other.rank);
  return {
    types: all.map(({ id }) => id),
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
