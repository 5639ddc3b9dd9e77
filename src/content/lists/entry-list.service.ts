import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { Problem } from '../../errors/problem.js';
import type { Caller } from '../../http/caller.js';
import type { IdOrSlug } from '../../ids/id-or-slug.js';
import { TotalCache } from '../../lists/total-cache.js';
import { type LargeRecords, largeRecords } from '../../lists/large-json.js';
import { requireDraftAccess } from '../drafts/draft-access.js';
import { type PreviewedPage, previewPage } from '../drafts/previews.js';
import { FileUrls } from '../../tenants/file-urls.js';
import { localesOf } from '../locales/tenant-locales.js';
import { type CompiledType, Schemas } from '../schemas.js';
import type { Condition } from '../../lists/conditions/condition.js';
import type { ListResult } from '../../lists/engine/list-reader.js';
import { PUBLISHED } from './entry-columns.js';
import { EntryHighlights } from './entry-highlights.js';
import { type EntryColumns, EntryList, type SearchedList } from './entry-list.js';
import { type EntryListRequest, namesOf, resolveConditions } from './entry-list-request.js';
import type { EntryRow } from '../entries/entry-presenter.js';
import { EntryNames, type FieldsOf, typesBehind } from './entry-names.js';
import { DEFAULT_VIEW, localeView, type LocaleView } from './locale-view.js';
import { highlightersOf } from './locale-highlighters.js';
import { readFuzzyList } from './fuzzy-list.js';
import { LARGE_ENTRIES, LARGE_PUBLISHED_ENTRIES } from './large-entries.sql.js';
import { ReferencedTitles } from './referenced-titles.js';
import { type ReadResult, EntryReader } from '../reading/entry-reader.service.js';
import type { Shape } from '../reading/shape.js';
import { SearchCorrections } from './search-corrections.js';
import { SearchIndexUpkeep } from '../entries/search-index-upkeep.js';
import { WordRarities } from './word-rarities.js';

export interface ListOfType extends ListResult<EntryColumns> {
  type: CompiledType;
  large: LargeRecords<EntryRow>;
  /** Undefined if the request does not ask for highlights. */
  highlights?: EntryHighlights;
  /** Undefined if the request does not ask for the values of drafts. */
  preview?: PreviewedPage;
  /** Undefined if the request neither includes nor selects. */
  reading?: ReadResult;
  shape: Shape;
  /** Whose share of the capacity the request uses. */
  share: string;
}

/** A list fails if the schema changes this many times between reading it and listing by it. */
const MAX_TRIES = 5;

/** Lists entries. Most lists take one statement for the page, the total and the check that the schema is current. */
@Injectable()
export class EntryListService {
  constructor(
    private readonly database: Database,
    private readonly schemas: Schemas,
    private readonly rarities: WordRarities,
    private readonly titles: ReferencedTitles,
    private readonly corrections: SearchCorrections,
    private readonly totals: TotalCache,
    private readonly reader: EntryReader,
    private readonly upkeep: SearchIndexUpkeep,
    private readonly files: FileUrls,
  ) {}

  /** Throws a 400 if a parameter does not fit the schema, and a 404 if the content type is unknown. */
  async list(caller: Caller, typeName: IdOrSlug, request: EntryListRequest): Promise<ListOfType> {
    const { tenantId, publishedOnly, share } = caller;
    if (request.search !== undefined) this.upkeep.searched(tenantId, request.reading?.locale !== undefined);
    if (request.hasDraft !== undefined || request.preview) await requireDraftAccess(caller);
    const statements = publishedOnly ? LARGE_PUBLISHED_ENTRIES : LARGE_ENTRIES;
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      const type = await this.schemas.readable(caller, typeName);
      const areFresh = tries > 1;
      try {
        const view = await this.viewOf(caller, type, request);
        const names = await this.namesOf(caller, type, request, { areFresh, fieldsOf: view.fieldsOf });
        const result = await this.read(caller, type, { names, view }, request);
        const reading = result && request.reading && (await this.reading(caller, type, request, result));
        // A type that is included may have changed.
        if (result && request.reading && !reading) continue;
        if (result) {
          const large = largeRecords(this.database.reads, tenantId, statements, { typeId: type.id }, share);
          const { rows, meta, sought = [] } = result;
          const highlights = request.highlight
            ? new EntryHighlights(type.schema, highlightersOf(type, sought, view), share)
            : undefined;
          const list = { rows, meta, type, large, highlights, reading, shape: request.shape, share };
          return request.preview ? { ...list, preview: await previewPage(this.database.reads, caller, list) } : list;
        }
        await this.schemas.current(caller, typeName);
      } catch (error) {
        // The current schema may know a name that the stale schema did not.
        const current = await this.schemas.current(caller, typeName);
        const isCurrent = current.id === type.id && current.version === type.version;
        const isFinal = isCurrent && (areFresh || !namesOf(request).some((name) => name.includes('.')));
        if (!(error instanceof Problem) || isFinal) throw error;
      }
    }
    throw Problem.unavailable('The content type changed repeatedly while the list was read.');
  }

  private reading(
    caller: Caller,
    type: CompiledType,
    { reading = {}, preview, shape }: EntryListRequest,
    { rows }: ListResult<EntryColumns>,
  ) {
    return this.reader.read(caller, type, reading, rows, { mode: preview ? 'preview' : 'live', shape });
  }

  /** Most requests name no locale. */
  private async viewOf(caller: Caller, type: CompiledType, { reading, states }: EntryListRequest): Promise<LocaleView> {
    if (!reading?.locale && Object.keys(states).length === 0) return DEFAULT_VIEW;
    if (states.missing || states.behind) await requireDraftAccess(caller);
    const { tenantId } = caller;
    const settings = type.locales ?? (await localesOf(this.database, tenantId));
    return localeView(type, settings, reading?.locale, states);
  }

  /** Reads the content types that conditions look at through references. Most requests have no such condition. */
  private async namesOf(
    caller: Caller,
    type: CompiledType,
    request: EntryListRequest,
    { areFresh, fieldsOf }: { areFresh: boolean; fieldsOf: FieldsOf },
  ): Promise<EntryNames> {
    const referred = new Map<string, CompiledType>();
    for (const id of typesBehind(type, namesOf(request), fieldsOf)) {
      const found = await this.schemas.findReadable(caller, id, areFresh);
      if (found) referred.set(id, found);
    }
    return new EntryNames(type, this.files, referred, visibleTo(caller), fieldsOf);
  }

  /** Returns undefined if a schema is no longer current. */
  private async read(
    caller: Caller,
    type: CompiledType,
    { names, view }: { names: EntryNames; view: LocaleView },
    request: EntryListRequest,
  ): Promise<SearchedList | undefined> {
    const always = [...visibleTo(caller), ...view.conditions];
    const fields = view.fieldsOf(type);
    const words = view.wordsOf(type);
    const conditions = resolveConditions(request, names, always);
    const scope = { caller, type, fields, words, conditions, wordsOf: view.wordsOf, reading: view.reading };
    const services = {
      reads: this.database.reads,
      totals: this.totals,
      rarities: this.rarities,
      titles: this.titles,
    };
    const read = (one: EntryListRequest) => new EntryList(services, scope, one).read();
    if (!request.fuzzy) return read(request);
    return readFuzzyList(request, read, {
      of: (search, query) => this.corrections.of(scope, search, query),
      areSeen: (words) => this.corrections.areSeen(scope, words),
    });
  }
}

function visibleTo({ publishedOnly }: Caller): readonly Condition[] {
  return publishedOnly ? [PUBLISHED] : [];
}
