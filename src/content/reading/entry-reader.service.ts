import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { Problem } from '../../errors/problem.js';
import type { Caller } from '../../http/caller.js';
import type { EntryOfType } from '../entries/entries.sql.js';
import { type CompiledType, Schemas } from '../schemas.js';
import type { ShownFiles } from './field-selection.js';
import { IncludedEntries, type IncludedForm } from './included-entries.js';
import { localesOf } from '../locales/tenant-locales.js';
import { assertKnownLocale, shownLocales } from '../locales/locale-request.js';
import type { ShownLocales } from '../locales/shown-json.js';
import { planReading, type ReadingPlan } from './reading-plan.js';
import type { ReadingRequest } from './reading-request.js';

/** What a response with `include` or `select` shows. */
export interface ReadResult {
  /** Whose share of the capacity the request uses. */
  share: string;
  /** The only fields that the entries of the page show; undefined if they show all. */
  select?: ReadonlySet<string>;
  /** The media fields that the entries of the page show in full. */
  files?: ShownFiles;
  /** Whether entries of the page or included ones show media fields in full. */
  showsFiles: boolean;
  /** In which locales; undefined: the default one. */
  locales?: ShownLocales;
  /** Undefined without `include`. */
  included?: IncludedEntries;
}

/** A reading fails if content types change this many times while it is read. */
const MAX_TRIES = 5;

/** Carries out `include` and `select`. */
@Injectable()
export class EntryReader {
  constructor(
    private readonly database: Database,
    private readonly schemas: Schemas,
  ) {}

  /**
   * Returns undefined if a content type has changed: the page must then be read again, with its current type. Throws a 400 if a name is
   * unknown, or if too much would be included.
   */
  async read(
    caller: Caller,
    type: CompiledType,
    request: ReadingRequest,
    page: readonly { id: string }[],
    shown: IncludedForm,
  ): Promise<ReadResult | undefined> {
    const localesIn = await this.localesOf(caller, type, request, shown);
    const plan = await this.plan(caller, type, request, localesIn?.(type));
    if (!plan) return undefined;
    const { select, files: paths } = plan.root;
    const files = paths && { schema: type.schema, paths };
    const reading = { share: caller.share, select, files, showsFiles: plan.showsFiles, locales: localesIn?.(type) };
    if (!plan.hasInclude) return reading;
    const included = await IncludedEntries.read(this.database.reads, caller, plan, page, { ...shown, localesIn });
    if (included) return { ...reading, included };
    // The next plan must not rely on the same versions.
    await Promise.all(plan.types.map(({ id }) => this.schemas.find(caller, id, true)));
    return undefined;
  }

  /** Reads a single entry with `read`, and what the request asks for; nothing else if `request` is undefined. */
  async ofEntry<Read extends { entry: EntryOfType }>(
    caller: Caller,
    request: ReadingRequest | undefined,
    shown: IncludedForm,
    read: () => Promise<Read>,
  ): Promise<Read & { reading?: ReadResult }> {
    if (!request) return read();
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      const found = await read();
      const { typeId, typeVersion } = found.entry;
      // The names of a cached type may be those of an earlier one. A level of `include` notices; `select` alone reads nothing else.
      const cached = await this.schemas.find(caller, typeId, !request.include?.length && typeVersion === undefined);
      const isStale = typeVersion !== undefined && cached?.version !== typeVersion;
      const type = isStale ? await this.schemas.find(caller, typeId, true) : cached;
      if (!type) throw Problem.notFound('entry');
      const reading = await this.read(caller, type, request, [found.entry], shown);
      if (reading) return { ...found, reading };
    }
    throw changedRepeatedly();
  }

  /** In which locales entries of each type are shown. Throws a 400 for an unknown one. */
  private async localesOf(
    { tenantId }: Caller,
    type: CompiledType,
    { locale }: ReadingRequest,
    { mode }: IncludedForm,
  ): Promise<IncludedForm['localesIn']> {
    if (!locale) return undefined;
    const settings = type.locales ?? (await localesOf(this.database, tenantId));
    assertKnownLocale(locale.locale, settings);
    return (one) => shownLocales(one, settings, locale, mode !== 'live');
  }

  /** Before a name is refused, the types are read again: a cached one may lack it. Returns undefined if `type` is not current. */
  private async plan(
    caller: Caller,
    type: CompiledType,
    request: ReadingRequest,
    locales: ShownLocales | undefined,
  ): Promise<ReadingPlan | undefined> {
    const isShown = locales && ((code = locales.default) => locales.locale === '*' || locales.chain.includes(code));
    try {
      return await planReading(type, request, (id) => this.schemas.findReadable(caller, id, false), isShown);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const current = await this.schemas.find(caller, type.id, true);
      if (current?.version !== type.version) return undefined;
      return planReading(type, request, (id) => this.schemas.findReadable(caller, id, true), isShown);
    }
  }
}

function changedRepeatedly(): Problem {
  return Problem.unavailable('The content types changed repeatedly while the entry was read.');
}
