import { Injectable } from '@nestjs/common';
import { mayRead, type ReadableEntry, writtenAnswer } from '../../access/may-read.js';
import { Config } from '../../config/config.js';
import type { Caller } from '../../http/caller.js';
import { versionEtag } from '../../http/responses/etag.js';
import { JsonText, NotModified } from '../../http/http-adapter.js';
import { hasRoute } from '../../http/has-route.js';
import type { JsonStream } from '../../http/responses/json-stream.js';
import { readFlag } from '../../http/parameters.js';
import type { Query } from '../../http/query.js';
import type { IdOrSlug } from '../../ids/id-or-slug.js';
import { formatId } from '../../ids/type-id.js';
import { FileUrls } from '../../tenants/file-urls.js';
import { type Preview, PreviewsService } from '../drafts/previews.service.js';
import { entryResponse } from '../reading/entry-response.js';
import { FullMedia } from '../reading/full-media.js';
import { type ReadingRequest, readReading } from '../reading/reading-request.js';
import { type ReadResult, EntryReader } from '../reading/entry-reader.service.js';
import type { Shape } from '../reading/shape.js';
import { asRead, LocalePresenter } from '../locales/locale-presenter.js';
import type { EntryOfType } from './entries.sql.js';
import { EntriesService } from './entries.service.js';
import { entryCaching, listCaching, previewHeaders } from './entry-caching.js';
import { readCodes } from '../locales/known-codes.js';
import { readEntryList } from '../lists/entry-list-request.js';
import { EntryListService } from '../lists/entry-list.service.js';
import { entryPage } from '../lists/entry-page.js';
import { presentCreatedEntry, presentUpdatedEntry } from './entry-presenter.js';

/** What a request that reads entries asks for, besides its path. */
interface Asked {
  query: Query;
  shape: Shape;
  ifNoneMatch: string | undefined;
}

/** How an answer shows what was written. */
interface Written {
  shape: Shape;
  /** The locale in which it was sent. */
  locale?: string;
}

type Response = JsonText | JsonStream | NotModified;

/** Responses that show entries: in the shape that the request asks for, and with what caches may do with them. */
@Injectable()
export class EntryResponses {
  constructor(
    private readonly entries: EntriesService,
    private readonly lists: EntryListService,
    private readonly previews: PreviewsService,
    private readonly reader: EntryReader,
    private readonly fullMedia: FullMedia,
    private readonly files: FileUrls,
    private readonly config: Config,
    private readonly locales: LocalePresenter,
  ) {}

  async list(caller: Caller, type: IdOrSlug, { query, shape, ifNoneMatch }: Asked): Promise<Response> {
    const request = readEntryList(query, shape);
    const list = await this.lists.list(caller, type, request);
    const highlighted = request.highlight ? request.search : undefined;
    const shown = { isPlain: shape === 'plain', highlighted };
    const { headers, comparable } = listCaching(this.circumstancesOf(caller), list, shown);
    if (headers && comparable && hasRoute(ifNoneMatch, comparable)) return new NotModified(headers);
    return this.fullMedia.of(caller, await entryPage(list, headers), shape, list.reading);
  }

  async entry(caller: Caller, type: IdOrSlug, entryId: string, asked: Asked): Promise<Response> {
    const { query, shape, ifNoneMatch } = asked;
    const request = readReading(query);
    const translated = readCodes(query, 'translated');
    if (readFlag(query, 'preview')) {
      const read = async () => {
        const preview = await this.previews.get(caller, type, entryId);
        await this.locales.assertTranslated(caller, preview.entry, translated);
        return preview;
      };
      return this.preview(caller, await this.reader.ofEntry(caller, request, { mode: 'preview', shape }, read), shape);
    }
    const read = async () => {
      const entry = await this.entries.get(caller, type, entryId, { withVersion: request !== undefined });
      await this.locales.assertTranslated(caller, entry, translated);
      return { entry };
    };
    const { entry, reading } = await this.reader.ofEntry(caller, request, { mode: 'live', shape }, read);
    const shown = { isPlain: shape === 'plain', included: reading?.included, locale: localeTagOf(request, reading) };
    const { headers = {}, comparable } = entryCaching(this.circumstancesOf(caller), entry, shown);
    if (comparable && hasRoute(ifNoneMatch, comparable)) return new NotModified(headers);
    return this.fullMedia.of(caller, await entryResponse(entry, reading, headers, shape), shape, reading);
  }

  async preview(
    caller: Caller,
    { entry, draftNumber, reading }: Preview & { reading?: ReadResult },
    shape: Shape,
  ): Promise<JsonText | JsonStream> {
    const headers = previewHeaders(entry.version, draftNumber);
    return this.fullMedia.of(caller, await entryResponse(entry, reading, headers, shape), shape, reading);
  }

  /** The answer to a creation. */
  async created(caller: Caller, entry: EntryOfType, written: Written): Promise<JsonText> {
    const shown = await this.locales.in(caller, entry, asRead(written.locale));
    return this.written(caller, entry, presentCreatedEntry(entry.typeId, shown, written.shape), written.shape);
  }

  /** The answer to an update. */
  async updated(caller: Caller, entry: EntryOfType, written: Written): Promise<JsonText> {
    const shown = await this.locales.in(caller, entry, asRead(written.locale));
    return this.written(caller, entry, presentUpdatedEntry(entry.typeId, shown, written.shape), written.shape);
  }

  /** The answer to another change of an entry: its ID alone, if the caller may not read it. */
  async changed(caller: Caller, entry: EntryOfType, { shape, locale }: Written): Promise<JsonText> {
    const { id, typeId, version } = entry;
    const shown = await this.locales.in(caller, entry, asRead(locale));
    const written = { ...shownOf(entry), id: formatId('ent', id) };
    const answer = writtenAnswer(caller, written, () => presentUpdatedEntry(typeId, shown, shape), etagOf(version));
    return this.inShape(caller, entry, answer, shape);
  }

  private written(caller: Caller, entry: EntryOfType, data: string, shape: Shape): Promise<JsonText> {
    return this.inShape(caller, entry, new JsonText(`{"data":${data}}`, etagOf(entry.version)), shape);
  }

  /** Nobody learns more of a file than a GET of the entry would tell. */
  private async inShape(caller: Caller, entry: EntryOfType, answer: JsonText, shape: Shape): Promise<JsonText> {
    return shape === 'full' && mayRead(caller, shownOf(entry)) ? this.fullMedia.ofWritten(caller, answer) : answer;
  }

  private circumstancesOf({ requireKey, tenantId }: Caller) {
    const urlTag = this.files.tagOf(tenantId);
    return { isPublic: requireKey !== undefined, maxAge: this.config.publicMaxAge, urlTag };
  }
}

/** What the locale of a response adds to its ETag. */
function localeTagOf(request: ReadingRequest | undefined, reading: ReadResult | undefined): string {
  const { locale, hasFallback } = request?.locale ?? {};
  if (locale === undefined || !reading?.locales) return '';
  const code = locale === '*' ? 'all' : locale.replaceAll('-', '_');
  return `l${reading.locales.revision}_${code}${hasFallback ? '' : '_own'}`;
}

function shownOf({ typeId, status }: EntryOfType): ReadableEntry {
  return { area: 'content', typeId, isPublished: status === 'published' };
}

function etagOf(version: number): { ETag: string } {
  return { ETag: versionEtag(version) };
}
