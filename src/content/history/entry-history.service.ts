import { Injectable } from '@nestjs/common';
import { heavyWork, isHeavy } from '../../admission/heavy-work.js';
import { FORMER_MEMBER, MemberNames } from '../../access/member-names.js';
import { Config } from '../../config/config.js';
import { Database } from '../../database/database.js';
import { Problem } from '../../errors/problem.js';
import type { Caller } from '../../http/caller.js';
import type { IdOrSlug } from '../../ids/id-or-slug.js';
import {
  cursorPage,
  foreignCursor,
  isNumbered,
  type ListMeta,
  offsetOf,
  type Page,
  keysetOf,
} from '../../lists/page.js';
import { assertDraftPermitted, assertNoDraft, type DraftPrecondition } from '../drafts/draft-etag.js';
import type { Draft } from '../drafts/draft-presenter.js';
import { draftWithoutLocale } from '../drafts/draft-values.js';
import { DraftsService, hasDraft, isHeavyEntry, type SavePreconditions } from '../drafts/drafts.service.js';
import { type DraftedEntry, GET_WITH_DRAFT } from '../drafts/drafts.sql.js';
import { type Precondition, assertPermitted } from '../../http/responses/etag.js';
import { type EntryOfType, GET_FOR_WRITE } from '../entries/entries.sql.js';
import { Attempts, tooManyChanges } from '../entries/writes/attempts.js';
import type { Write } from '../entries/writes/entry-validation.js';
import { EntryValues, type EntryFields } from '../entries/writes/entry-values.js';
import { keeping } from '../entries/writes/entry-write.js';
import { UpdateEntry, updateStatement } from '../entries/writes/update-entry.js';
import { assertMayChangeEntry } from '../live-changes.js';
import { assertKnownCodes } from '../locales/known-codes.js';
import { assertMayPublishLocales, assertNotLimited } from '../locales/locale-rights.js';
import { localesOf } from '../locales/tenant-locales.js';
import { type CompiledType, Schemas } from '../schemas.js';
import { valuesJson } from '../values-json.js';
import {
  COUNT_OF_VERSIONS,
  ENTRY_EXISTS,
  FIND_VERSION,
  PAGE_OF_VERSIONS,
  VERSION_BEFORE,
  type VersionRow,
  type VersionValues,
  VERSIONS_BELOW,
} from './entry-history.sql.js';
import { differencesJson, fittingValues, isFirst, memberOf, movedValues, patchTo, withName } from './entry-version.js';

/** More versions than any entry has. */
const ALL_VERSIONS = 2_147_483_647;

interface EntryOf {
  typeName: IdOrSlug;
  entryId: string;
}

/** What is restored. */
interface Restoration<Condition> {
  version: number;
  precondition: Condition;
  /** Only the values of this locale. */
  locale: string | undefined;
}

type StoredVersion = VersionRow & VersionValues;

/** The history of entries: reads versions, and makes entries as they were. */
@Injectable()
export class EntryHistory {
  private readonly kept: number;

  constructor(
    private readonly database: Database,
    private readonly schemas: Schemas,
    private readonly attempts: Attempts,
    private readonly values: EntryValues,
    private readonly updates: UpdateEntry,
    private readonly drafts: DraftsService,
    private readonly names: MemberNames,
    { versionsKept }: Config,
  ) {
    this.kept = versionsKept === 0 ? ALL_VERSIONS : versionsKept;
  }

  /** Returns a page of the entry's versions, newest first. Throws a 404 if there is no such entry. */
  async list(
    { tenantId }: Caller,
    { typeName, entryId }: EntryOf,
    page: Page,
  ): Promise<{ rows: VersionRow[]; meta: ListMeta }> {
    const { perPage } = page;
    const name = `versions ${entryId}`;
    const place = isNumbered(page) ? undefined : keysetOf(page, name);
    const of = await this.ofEntry(tenantId, typeName, entryId);
    if (isNumbered(page)) {
      const rows = await this.database.query(tenantId, PAGE_OF_VERSIONS, {
        ...of,
        limit: perPage,
        offset: offsetOf(page),
      });
      const counted = { typeId: of.typeId, entryId, kept: this.kept };
      const [count] = await this.database.query(tenantId, COUNT_OF_VERSIONS, counted);
      const shown = await this.withNames(tenantId, rows);
      return { rows: shown, meta: { page: page.page, per_page: perPage, total: count?.total ?? 0 } };
    }
    const below = place ? Number(place[0]) : ALL_VERSIONS;
    if (!Number.isSafeInteger(below) || below < 0 || below > ALL_VERSIONS) throw foreignCursor();
    const found = await this.database.query(tenantId, VERSIONS_BELOW, { ...of, below, limit: perPage + 1 });
    const { rows, meta } = cursorPage(found, perPage, name, ({ version }) => [String(version)]);
    return { rows: await this.withNames(tenantId, rows), meta };
  }

  /** Returns a version and the JSON text of its values, as far as the type has their fields today. Throws a 404 if the version is not kept. */
  async get(
    { tenantId }: Caller,
    entry: EntryOf,
    version: number,
  ): Promise<{ row: VersionRow; typeId: string; fields: string }> {
    const { type, row } = await this.read(tenantId, entry, version);
    const values = await this.valuesOf(tenantId, type, row);
    const steps = valuesJson(type.schema, values);
    const [named = row] = await this.withNames(tenantId, [row]);
    return { row: named, typeId: type.id, fields: await heavyWork.runIf(isHeavy(row.data.length), tenantId, steps) };
  }

  private async withNames<Row extends VersionRow>(tenantId: string, rows: readonly Row[]): Promise<Row[]> {
    const members = rows.map(memberOf);
    const names = await this.names.of(tenantId, members);
    return rows.map((row, index) => {
      const member = members[index];
      return member === undefined ? row : withName(row, names.get(member) ?? FORMER_MEMBER);
    });
  }

  /** Compares a version with the one before, or with the version `from`, as JSON text. Throws a 404 if one of them is not kept. */
  async diff(
    { tenantId }: Caller,
    entry: EntryOf,
    { version, from }: { version: number; from: number | undefined },
  ): Promise<string> {
    const { type, row } = await this.read(tenantId, entry, version);
    const before =
      from === undefined ? await this.before(tenantId, type, entry, row) : (await this.read(tenantId, entry, from)).row;
    const had = before ? await this.valuesOf(tenantId, type, before) : {};
    const has = await this.valuesOf(tenantId, type, row);
    const isLarge = isHeavy(row.data.length + (before?.data.length ?? 0));
    return heavyWork.runIf(isLarge, tenantId, differencesJson(type, had, has));
  }

  /**
   * Makes the values of an entry those of a version. Values of removed fields are left out; the others are checked as those of an update.
   * Changes nothing if nothing differs. Throws a 404 if the version is not kept, and a 403 if the caller may not change what is live.
   */
  async restore(
    caller: Caller,
    { typeName, entryId }: EntryOf,
    { version, precondition, locale }: Restoration<Precondition>,
  ): Promise<EntryOfType> {
    const { tenantId } = caller;
    for await (const { before, type } of this.attempts.onEntry({ tenantId, typeName, entryId }, GET_FOR_WRITE)) {
      assertPermitted(precondition, before.version, 'entry');
      assertMayChangeEntry(caller, type.id, { before: before.status });
      await this.assertKnown(tenantId, type, locale);
      const row = await this.find(tenantId, type, entryId, version);
      const write = { tenantId, typeName, type, isHeavy: isHeavy(row.data.length) || isHeavy(before.fields.length) };
      const fields = await heavyWork.runIf(write.isHeavy, tenantId, patchTo(type, before.fields, row, locale));
      if (!fields) return { ...before, typeId: type.id };
      const patch = await this.values.check(write, { type, mode: 'patch', values: fields, isStored: true });
      const update = { patch, transition: keeping(before.status, 'restored'), by: caller, more: {} };
      const statement = updateStatement(caller, type.id, before, before);
      const restored = await this.updates.apply(statement, write, before, update);
      if (restored) return restored;
    }
    throw tooManyChanges();
  }

  /**
   * Like `restore`, but the values become those of the draft, in place of a draft that there may be. With `locale`, the draft keeps its other values.
   * Throws a 403 if the caller is limited to locales and the draft would lose values of others.
   */
  async restoreToDraft(
    caller: Caller,
    { typeName, entryId }: EntryOf,
    { version, precondition, isNew, locale }: Restoration<DraftPrecondition> & Pick<SavePreconditions, 'isNew'>,
  ): Promise<Draft> {
    const { tenantId } = caller;
    for await (const { before, type } of this.attempts.onEntry({ tenantId, typeName, entryId }, GET_WITH_DRAFT)) {
      const number = hasDraft(before) ? before.number : undefined;
      assertDraftPermitted(precondition, number);
      if (isNew) assertNoDraft(number);
      await this.assertKnown(tenantId, type, locale);
      const row = await this.find(tenantId, type, entryId, version);
      const write = { tenantId, typeName, type, isHeavy: isHeavy(row.data.length) || isHeavyEntry(before) };
      const fields = await heavyWork.runIf(write.isHeavy, tenantId, patchTo(type, before.fields, row, locale));
      const kept = await this.keptDraft(caller, write, before, locale);
      const patch = await this.values.check(write, { type, mode: 'patch', values: fields ?? {}, isStored: true });
      const draft = await this.drafts.store(caller, write, before, kept, patch);
      if (draft) return draft;
    }
    throw tooManyChanges();
  }

  /** What stays of a draft in whose place values are restored. */
  private async keptDraft(
    caller: Caller,
    { tenantId, type, isHeavy: isLarge }: Write,
    before: DraftedEntry,
    locale: string | undefined,
  ) {
    if (locale !== undefined) assertMayPublishLocales(caller, [locale]);
    else if (hasDraft(before)) assertNotLimited(caller, 'cannot replace all of a draft');
    if (locale === undefined || !hasDraft(before)) return undefined;
    const { default: standard } = type.locales ?? (await localesOf(this.database, tenantId));
    const steps = draftWithoutLocale(type.schema, before, locale, standard);
    const kept = await heavyWork.runIf(isLarge, tenantId, steps);
    return kept && { ...before, ...kept };
  }

  private async assertKnown(tenantId: string, { locales }: CompiledType, locale: string | undefined): Promise<void> {
    if (locale === undefined) return;
    assertKnownCodes([locale], locales ?? (await localesOf(this.database, tenantId)), 'locale');
  }

  private async read(
    tenantId: string,
    { typeName, entryId }: EntryOf,
    version: number,
  ): Promise<{ type: CompiledType; row: StoredVersion }> {
    const type = await this.schemas.fresh(tenantId, typeName);
    return { type, row: await this.find(tenantId, type, entryId, version) };
  }

  private async find(
    tenantId: string,
    { id: typeId, version: typeVersion }: CompiledType,
    entryId: string,
    version: number,
  ): Promise<StoredVersion> {
    const of = { typeId, typeVersion, entryId, kept: this.kept };
    const [row] = await this.database.query(tenantId, FIND_VERSION, { ...of, version });
    if (row) return row;
    await this.assertExists(tenantId, typeId, entryId);
    throw Problem.notFound('version');
  }

  /** Returns undefined if the version is the entry's first. */
  private async before(
    tenantId: string,
    { id: typeId, version: typeVersion }: CompiledType,
    { entryId }: EntryOf,
    { version, summary }: VersionRow,
  ): Promise<StoredVersion | undefined> {
    const [row] = await this.database.query(tenantId, VERSION_BEFORE, {
      typeId,
      typeVersion,
      entryId,
      kept: this.kept,
      version,
    });
    if (!row && !isFirst(summary)) throw Problem.notFound('version before this one');
    return row;
  }

  private async valuesOf(tenantId: string, { schema }: CompiledType, version: StoredVersion): Promise<EntryFields> {
    const isLarge = isHeavy(version.data.length);
    const moved = await heavyWork.runIf(isLarge, tenantId, movedValues(version));
    return heavyWork.runIf(isLarge, tenantId, fittingValues(schema, moved));
  }

  private async ofEntry(tenantId: string, typeName: IdOrSlug, entryId: string) {
    const { id: typeId, version: typeVersion } = await this.schemas.fresh(tenantId, typeName);
    await this.assertExists(tenantId, typeId, entryId);
    return { typeId, typeVersion, entryId, kept: this.kept };
  }

  private async assertExists(tenantId: string, typeId: string, entryId: string): Promise<void> {
    const found = await this.database.query(tenantId, ENTRY_EXISTS, { typeId, entryId });
    if (found.length === 0) throw Problem.notFound('entry');
  }
}
