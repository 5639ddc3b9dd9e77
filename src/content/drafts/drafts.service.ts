import { Injectable } from '@nestjs/common';
import { assertMayRead, comparable } from '../../access/may-read.js';
import { heavyWork, isHeavy } from '../../admission/heavy-work.js';
import type { SlicedWork } from '../../admission/sliced-work.js';
import { auditOf } from '../../audit/record-changes.js';
import { Database } from '../../database/database.js';
import { Problem, type ValueError } from '../../errors/problem.js';
import type { SentIn } from '../../fields/localized/sent-values.js';
import type { Caller } from '../../http/caller.js';
import type { CheckedBody } from '../../http/bodies/dto.pipe.js';
import { changedReadOnlyOf } from '../../http/bodies/read-only.js';
import type { IdOrSlug } from '../../ids/id-or-slug.js';
import { parseSliced } from '../../json/parse-sliced.js';
import { Attempts, type EntryName, tooManyChanges } from '../entries/writes/attempts.js';
import { EntryValidation, type Write } from '../entries/writes/entry-validation.js';
import { type CheckedValues, EntryValues, type EntryFields } from '../entries/writes/entry-values.js';
import { assertEntrySize, entryResource } from '../entries/writes/entry-write.js';
import { keptFaults, type Patch } from '../entries/writes/patch.js';
import { assertKnownCodes } from '../locales/known-codes.js';
import { assertMayChangeLocales, assertMayPublishLocales, assertNotLimited } from '../locales/locale-rights.js';
import { localesOf } from '../locales/tenant-locales.js';
import { isOfStored } from '../locales/locale.dto.js';
import { sentErrors } from '../locales/sent-in-locale.js';
import { mayChangeLive } from '../live-changes.js';
import type { CompiledType } from '../schemas.js';
import { assertDraftPermitted, assertNoDraft, type DraftPrecondition } from './draft-etag.js';
import { type Draft, readOnlyDraft, reviewOf } from './draft-presenter.js';
import { savedSliced, shownSliced, splitByLocale, type StoredDraft } from './draft-values.js';
import type { SaveDraftDto } from './drafts.dto.js';
import { DraftedEntries } from './drafted-entries.js';
import { DISCARD_DRAFT, type DraftedEntry, GET_WITH_DRAFT, SAVE_DRAFT } from './drafts.sql.js';

export interface SavePreconditions {
  precondition: DraftPrecondition;
  /** Save only if the entry has no draft. */
  isNew: boolean;
  /** The locale of the values. */
  locale?: SentIn;
}

/** An entry that has a draft. */
type WithDraft = DraftedEntry & StoredDraft & { baseVersion: number; draftCreatedAt: string; draftUpdatedAt: string };

/** Drafts: field values that are saved beside the live values of an entry. Each change is one statement, as changes of entries are. */
@Injectable()
export class DraftsService {
  constructor(
    private readonly database: Database,
    private readonly entries: DraftedEntries,
    private readonly attempts: Attempts,
    private readonly values: EntryValues,
    private readonly validation: EntryValidation,
  ) {}

  /** Returns the draft, or an entry that is not published and waits for review as its own draft. Throws a 404 if there is neither. */
  async get({ tenantId }: Caller, typeName: IdOrSlug, entryId: string): Promise<Draft> {
    return this.entries.show({ tenantId, typeName, entryId }, async (row, type) => {
      const draft = reviewableDraft(row);
      if (!draft || (!hasDraft(row) && row.reviewAt === null)) throw noDraft();
      return shownDraft(tenantId, type, draft);
    });
  }

  /**
   * Adds values to the draft, or makes a draft of them. Without values, returns the draft as it is, or throws a 403 if the caller may not read
   * it. Throws a 412 if a precondition fails, and a 422 that lists every wrong value.
   */
  async save(
    caller: Caller,
    typeName: IdOrSlug,
    entryId: string,
    body: CheckedBody<SaveDraftDto>,
    { precondition, isNew, locale }: SavePreconditions,
  ): Promise<Draft> {
    const { tenantId } = caller;
    const { dto, errors, isHeavy: isLarge } = body;
    const { fields = {} } = dto;
    const isEmpty = errors.length === 0 && isEmptyObject(fields);
    const values = this.values.ofRequest({ tenantId, isHeavy: isLarge }, 'patch', fields, locale);
    for await (const { before, type } of this.attempts.onEntry({ tenantId, typeName, entryId }, GET_WITH_DRAFT)) {
      const draft = hasDraft(before) ? before : undefined;
      // It only reads.
      if (isEmpty) assertMayRead(caller, { area: 'content', typeId: type.id });
      if (isEmpty && !draft) throw noDraft();
      assertDraftPermitted(precondition, draft?.number);
      if (isNew) assertNoDraft(draft?.number);
      const shown = draft && (() => shownDraft(tenantId, type, draft));
      const found = await changedReadOnlyOf(dto, async () => {
        const stored = shown && readOnlyDraft(await shown());
        return stored ? comparable(caller, { area: 'content', typeId: type.id }, () => stored) : {};
      });
      const readOnly = found.filter(isOfStored(locale));
      if (isEmpty && shown && readOnly.length === 0) return await shown();
      const patch = await values.check(type);
      const write = { tenantId, typeName, type, isHeavy: isLarge || isHeavyEntry(before), locale };
      const saved = await this.store(caller, write, before, draft, patch, [...errors, ...readOnly]);
      if (saved) return saved;
    }
    throw tooManyChanges();
  }

  /** Removes the draft. Throws a 404 if the entry has no draft. */
  async discard(
    caller: Caller,
    typeName: IdOrSlug,
    entryId: string,
    precondition: DraftPrecondition,
    locale?: string,
  ): Promise<void> {
    const { tenantId } = caller;
    if (locale !== undefined) return this.discardLocale(caller, { tenantId, typeName, entryId }, precondition, locale);
    assertNotLimited(caller, 'cannot discard all of a draft');
    for await (const { before, type } of this.attempts.onEntry({ tenantId, typeName, entryId }, GET_WITH_DRAFT)) {
      if (!hasDraft(before)) throw noDraft();
      assertDraftPermitted(precondition, before.number);
      if (await this.remove(caller, type, before)) return;
    }
    throw tooManyChanges();
  }

  /** Removes the draft that was read. Returns false if it has changed since. */
  private async remove(caller: Caller, type: CompiledType, { id, number }: WithDraft): Promise<boolean> {
    const discarded = await this.attempts.commit(this.database, caller.tenantId, DISCARD_DRAFT, {
      typeId: type.id,
      entryId: id,
      number,
      unapproved: mayChangeLive(caller, type.id) ? null : number + 1,
      audit: auditOf(caller, { action: 'draft_discarded', resource: entryResource(id) }),
    });
    return discarded.length > 0;
  }

  /** Removes the values of one locale from the draft. */
  private async discardLocale(
    caller: Caller,
    entry: EntryName,
    precondition: DraftPrecondition,
    locale: string,
  ): Promise<void> {
    const { tenantId, typeName } = entry;
    for await (const { before, type } of this.attempts.onEntry(entry, GET_WITH_DRAFT)) {
      const settings = type.locales ?? (await localesOf(this.database, tenantId));
      assertKnownCodes([locale], settings, 'locale');
      assertMayPublishLocales(caller, [locale]);
      if (!hasDraft(before)) throw noDraft();
      assertDraftPermitted(precondition, before.number);
      const write = { tenantId, typeName, type, isHeavy: isHeavyEntry(before) };
      const steps = splitByLocale(type, before, [locale], settings.default);
      const { own, rest } = await heavyWork.runIf(write.isHeavy, tenantId, steps);
      if (own.names.length === 0) return;
      if (!rest) {
        if (await this.remove(caller, type, before)) return;
        continue;
      }
      const { restFields: draft, restBases: bases } = rest;
      const kept = { ...before, draft, bases };
      const nothing = { set: {}, removed: [], errors: [], referring: {} };
      if (await this.store(caller, write, before, kept, nothing)) return;
    }
    throw tooManyChanges();
  }

  /**
   * Checks the patch, and stores it on top of the `earlier` draft, if there is one to keep. Returns undefined if the attempt is lost. Throws a 422
   * that lists `errors` and every wrong value.
   */
  async store(
    caller: Caller,
    write: Write,
    before: DraftedEntry,
    earlier: WithDraft | undefined,
    patch: CheckedValues,
    errors: readonly ValueError[] = [],
  ): Promise<Draft | undefined> {
    const { tenantId, type, isHeavy: isLarge } = write;
    const { schema } = type;
    const { set, removed, referring } = patch;
    if (caller.locales) {
      const { default: standard } = type.locales ?? (await localesOf(this.database, tenantId));
      assertMayChangeLocales(caller, type, [...Object.keys(set), ...removed], standard);
    }
    const kept = await keptOf(tenantId, type, before, patch);
    const uniques = await heavyWork.runIf(isLarge, tenantId, schema.uniquesSliced(set));
    const wrong = [...errors, ...patch.errors, ...sentErrors(write, kept)];
    if (!(await this.validation.assertValid(write, wrong, { id: before.id, uniques, referring }))) return undefined;
    const saving = savedSliced(schema, before.fields, earlier, { set, removed });
    const { draft, bases, shown } = await heavyWork.runIf(isLarge, tenantId, saving);
    assertEntrySize('', draft);
    assertEntrySize(before.fields, shown.fields);
    const at = new Date().toISOString();
    const { baseVersion, draftCreatedAt: createdAt } = earlier ?? { baseVersion: before.version, draftCreatedAt: at };
    const [saved] = await this.attempts.commit(this.database, tenantId, SAVE_DRAFT, {
      typeId: type.id,
      typeVersion: type.version,
      entryId: before.id,
      number: before.number,
      isDraft: hasDraft(before),
      draft,
      bases,
      baseVersion,
      createdAt,
      at,
      unapproved: mayChangeLive(caller, type.id) ? null : before.number + 1,
      savedBy: caller.actorId ?? null,
      audit: auditOf(caller, {
        action: 'draft_saved',
        resource: entryResource(before.id),
        changes: [...Object.keys(set), ...removed],
      }),
    });
    const { number } = saved ?? {};
    if (number === undefined) return undefined;
    return {
      id: before.id,
      typeId: type.id,
      ...shown,
      number,
      baseVersion,
      createdAt,
      updatedAt: at,
      ...reviewOf(before),
    };
  }
}

export function noDraft(): Problem {
  return Problem.notFound('draft');
}

export function hasDraft(row: DraftedEntry): row is WithDraft {
  return row.draft !== null;
}

/** The draft that a review is of: for an entry that is not published and has no draft, one that changes nothing. Undefined if there is neither. */
export function reviewableDraft(row: DraftedEntry): WithDraft | undefined {
  if (hasDraft(row)) return row;
  const { status, version: baseVersion, createdAt: draftCreatedAt, updatedAt: draftUpdatedAt } = row;
  if (status !== 'draft') return undefined;
  return { ...row, draft: '{}', bases: '{}', baseVersion, draftCreatedAt, draftUpdatedAt };
}

export async function shownDraft(tenantId: string, type: CompiledType, row: WithDraft): Promise<Draft> {
  const { id, number, baseVersion, draftCreatedAt: createdAt, draftUpdatedAt: updatedAt } = row;
  const shown = await heavyWork.runIf(isHeavyEntry(row), tenantId, shownSliced(type.schema, row.fields, row));
  return { id, typeId: type.id, ...shown, number, baseVersion, createdAt, updatedAt, ...reviewOf(row) };
}

/** The errors of values that must be kept as the live entry has them. Most content types have no such field. */
async function keptOf(
  tenantId: string,
  { schema }: CompiledType,
  before: DraftedEntry,
  patch: Patch,
): Promise<ValueError[]> {
  if (!schema.fields.some(({ isKept }) => isKept)) return [];
  const steps = function* (): SlicedWork<ValueError[]> {
    return yield* keptFaults(schema, (yield* parseSliced(before.fields)) as EntryFields, patch);
  };
  return heavyWork.runIf(isHeavyEntry(before), tenantId, steps());
}

export function isHeavyEntry({ fields, draft }: DraftedEntry): boolean {
  return isHeavy(fields.length + (draft?.length ?? 0));
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
}
