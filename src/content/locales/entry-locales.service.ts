import { Injectable } from '@nestjs/common';
import { heavyWork } from '../../admission/heavy-work.js';
import type { SlicedWork } from '../../admission/sliced-work.js';
import { Database } from '../../database/database.js';
import type { Executor } from '../../database/transaction.js';
import { Problem } from '../../errors/problem.js';
import { codesOf, type LocaleSettings } from '../../fields/localized/locale-settings.js';
import { localeStateOf } from '../../fields/localized/locale-state.js';
import { nameIn, readName } from '../../fields/localized/localized-names.js';
import { supplied } from '../../fields/record.js';
import type { Caller } from '../../http/caller.js';
import { assertPermitted, type Precondition } from '../../http/responses/etag.js';
import type { IdOrSlug } from '../../ids/id-or-slug.js';
import { parseSliced } from '../../json/parse-sliced.js';
import { isHeavyEntry } from '../drafts/drafts.service.js';
import { type DraftedEntry, GET_WITH_DRAFT } from '../drafts/drafts.sql.js';
import { Attempts, tooManyChanges } from '../entries/writes/attempts.js';
import type { Write } from '../entries/writes/entry-validation.js';
import type { EntryFields } from '../entries/writes/entry-values.js';
import { keeping } from '../entries/writes/entry-write.js';
import type { TenantAuthor } from '../entries/writes/entry-writer.js';
import { UpdateEntry, updateStatement } from '../entries/writes/update-entry.js';
import type { VersionAction } from '../history/entry-version.js';
import { assertMayChangeEntry } from '../live-changes.js';
import { type CompiledType, Schemas } from '../schemas.js';
import type { EntryLocaleDto, TypeLocaleDto } from './entry-locales.dto.js';
import { COUNT_LOCALES, COUNT_OF_TYPE } from './entry-locales.sql.js';
import type { LiveChange } from './live-locales.js';
import { assertMayPublishLocales } from './locale-rights.js';
import { localesOf } from './tenant-locales.js';

/** A count fails if the type changes this many times while it is made. */
const MAX_TRIES = 5;

const NOTHING = { set: {}, removed: [], errors: [], referring: {} };

/** What there is of entries in each locale. */
@Injectable()
export class EntryLocales {
  constructor(
    private readonly database: Database,
    private readonly schemas: Schemas,
    private readonly attempts: Attempts,
    private readonly updates: UpdateEntry,
  ) {}

  /** Throws a 404 if there is no such entry. */
  async ofEntry({ tenantId }: Caller, typeName: IdOrSlug, entryId: string): Promise<EntryLocaleDto[]> {
    const cached = await this.schemas.get(tenantId, typeName);
    const { before, type } = await this.attempts.read({ tenantId, typeName, entryId }, cached, GET_WITH_DRAFT);
    const settings = type.locales ?? (await localesOf(this.database, tenantId));
    return heavyWork.runIf(isHeavyEntry(before), tenantId, localesOfEntry(type, settings, before));
  }

  /**
   * Takes a locale off, or brings it back. Does nothing if it is so already. Throws a 404 for an unknown locale, a 409 for the default one and for
   * one without values, and a 403 if the caller may not change what is live.
   */
  async setLive(
    caller: Caller,
    { typeName, entryId, code }: { typeName: IdOrSlug; entryId: string; code: string },
    isLive: boolean,
    precondition: Precondition,
  ): Promise<{ typeId: string; locale: EntryLocaleDto }> {
    const { tenantId } = caller;
    for await (const { before, type } of this.attempts.onEntry({ tenantId, typeName, entryId }, GET_WITH_DRAFT)) {
      const settings = type.locales ?? (await localesOf(this.database, tenantId));
      assertCanToggle(code, settings);
      assertMayPublishLocales(caller, [code]);
      assertMayChangeEntry(caller, type.id, { before: before.status, after: before.status });
      assertPermitted(precondition, before.version, 'entry');
      const isHeavy = isHeavyEntry(before);
      const values = await heavyWork.runIf(isHeavy, tenantId, valuesOf(before));
      if (!type.schema.localesIn(values).includes(code)) throw withoutValues(code);
      const isOff = localeStateOf(values).off?.includes(code) === true;
      if (isOff === isLive) {
        const live = isLive ? { bringsBack: [code] } : { takesOff: [code] };
        const write = { tenantId, typeName, type, isHeavy };
        if (!(await this.change(caller, write, before, live, 'updated'))) continue;
      }
      const all = await this.ofEntry(caller, typeName, entryId);
      const found = all.find((one) => one.code === code);
      if (found) return { typeId: type.id, locale: found };
    }
    throw tooManyChanges();
  }

  /** How many entries a type has. */
  async entriesOf({ tenantId }: Caller, typeId: string): Promise<number> {
    const [count] = await this.database.query(tenantId, COUNT_OF_TYPE, { typeId });
    return count ? count.drafts + count.published : 0;
  }

  /**
   * Takes off those of these locales that have values and are not off. Returns false if nothing was to be taken off. `executor` may commit other statements with
   * the change. Throws a 404 if there is no such entry.
   */
  async takeOff(
    by: TenantAuthor,
    typeName: IdOrSlug,
    entryId: string,
    codes: readonly string[],
    { action, executor }: { action: VersionAction; executor: Executor },
  ): Promise<boolean> {
    const { tenantId } = by;
    for await (const { before, type } of this.attempts.onEntry({ tenantId, typeName, entryId }, GET_WITH_DRAFT)) {
      const isHeavy = isHeavyEntry(before);
      const values = await heavyWork.runIf(isHeavy, tenantId, valuesOf(before));
      const { off = [] } = localeStateOf(values);
      const valued = type.schema.localesIn(values);
      const takesOff = codes.filter((code) => valued.includes(code) && !off.includes(code));
      if (takesOff.length === 0) return false;
      const write = { tenantId, typeName, type, isHeavy };
      if (await this.change(by, write, before, { takesOff }, action, executor)) return true;
    }
    throw tooManyChanges();
  }

  /** Returns false if the attempt is lost. */
  private async change(
    by: TenantAuthor,
    write: Write,
    before: DraftedEntry,
    live: LiveChange,
    action: VersionAction,
    executor?: Executor,
  ): Promise<boolean> {
    const transition = keeping(before.status, action);
    const statement = updateStatement(by, write.type.id, before, before);
    const update = { patch: NOTHING, transition, by, live, executor, more: {} };
    return (await this.updates.apply(statement, write, before, update)) !== undefined;
  }

  /** Counts the entries of a type in each locale, by the index. */
  async ofType({ tenantId }: Caller, typeName: IdOrSlug): Promise<TypeLocaleDto[]> {
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      const type = await this.schemas.fresh(tenantId, typeName);
      const settings = type.locales ?? (await localesOf(this.database, tenantId));
      const [of = { drafts: 0, published: 0 }] = await this.database.query(tenantId, COUNT_OF_TYPE, {
        typeId: type.id,
      });
      const counts = await this.countsOf(tenantId, type);
      if (!counts) continue;
      const total = of.drafts + of.published;
      return codesOf(settings).map((code) => {
        if (code === settings.default) return { code, live: of.published, missing: 0, behind: 0 };
        const { live = 0, valued = 0, behind = 0 } = counts.get(code.toLowerCase()) ?? {};
        return { code, live, missing: total - valued, behind };
      });
    }
    throw Problem.unavailable('The content type changed repeatedly while its entries were counted.');
  }

  /** By the codes in small letters, as the index has them. Undefined if the type has changed. */
  private async countsOf(tenantId: string, { id: typeId, version, schema }: CompiledType) {
    const counts = new Map<string, { live?: number; valued?: number; behind?: number }>();
    const [live, valued, behind] = (['live', 'valued', 'behind'] as const).map((status) => schema.statusField(status));
    if (!live || !valued || !behind) return counts;
    const names = { live: live.filterField, valued: valued.filterField, behind: behind.filterField };
    const rows = await this.database.query(tenantId, COUNT_LOCALES, { typeId, version, ...names });
    if (rows.length === 0 && (await this.schemas.fresh(tenantId, { id: typeId })).version !== version) return undefined;
    for (const { field, key, entries } of rows) {
      const status = field === names.live ? 'live' : field === names.valued ? 'valued' : 'behind';
      counts.set(key, { ...counts.get(key), [status]: entries });
    }
    return counts;
  }
}

function* valuesOf({ fields }: Pick<DraftedEntry, 'fields'>): SlicedWork<EntryFields> {
  return (yield* parseSliced(fields)) as EntryFields;
}

function* localesOfEntry(
  { schema }: CompiledType,
  settings: LocaleSettings,
  row: DraftedEntry,
): SlicedWork<EntryLocaleDto[]> {
  const values = yield* valuesOf(row);
  const { off = [], at = {} } = localeStateOf(values);
  const bases = row.bases === null ? {} : (JSON.parse(row.bases) as object);
  const drafted = new Set(Object.keys(bases).map((name) => readName(name).locale ?? settings.default));
  return codesOf(settings).map((code) => {
    const isDefault = code === settings.default;
    const has = (name: string) => supplied(values, isDefault ? name : nameIn(name, code)) !== undefined;
    const names = [...schema.localized];
    const own = names.filter(has);
    const isSeen = isDefault || (own.length > 0 && !off.includes(code));
    return {
      code,
      live: row.status === 'published' && isSeen,
      values: own.length,
      missing: names.filter((name) => !has(name)),
      draft: drafted.has(code),
      updated_at: at[code] ?? (isDefault ? row.updatedAt : null),
    };
  });
}

function assertCanToggle(code: string, settings: LocaleSettings): void {
  if (!codesOf(settings).includes(code)) throw Problem.notFound('locale');
  if (code !== settings.default) return;
  const detail = 'The default locale is live if the entry is published. Change the status of the entry instead.';
  throw new Problem('conflict', detail);
}

function withoutValues(code: string): Problem {
  return new Problem('conflict', `The entry has no values in ${code}. It becomes live with its first live value.`);
}
