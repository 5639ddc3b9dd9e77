import { Injectable } from '@nestjs/common';
import { assertMayRead, comparable } from '../../access/may-read.js';
import { heavyWork, isHeavy } from '../../admission/heavy-work.js';
import type { SlicedWork } from '../../admission/sliced-work.js';
import { auditOf } from '../../audit/record-changes.js';
import { Database } from '../../database/database.js';
import type { Executor } from '../../database/transaction.js';
import { Problem, type ValueError } from '../../errors/problem.js';
import type { Caller } from '../../http/caller.js';
import type { CheckedBody } from '../../http/bodies/dto.pipe.js';
import { changedReadOnlyOf } from '../../http/bodies/read-only.js';
import type { IdOrSlug } from '../../ids/id-or-slug.js';
import { parseSliced } from '../../json/parse-sliced.js';
import type { EntryOfType } from '../entries/entries.sql.js';
import { Attempts, tooManyChanges } from '../entries/writes/attempts.js';
import { EntryValidation, type Write } from '../entries/writes/entry-validation.js';
import { type CheckedValues, EntryValues, type EntryFields } from '../entries/writes/entry-values.js';
import { assertEntrySize, entryResource, PUBLISH } from '../entries/writes/entry-write.js';
import type { TenantAuthor } from '../entries/writes/entry-writer.js';
import { PUBLISH_DRAFT } from '../entries/writes/update-entry.sql.js';
import { keptFaults, type Patch } from '../entries/writes/patch.js';
import { UpdateEntry } from '../entries/writes/update-entry.js';
import type { VersionAction } from '../history/entry-version.js';
import { mayChangeLive } from '../live-changes.js';
import type { CompiledType } from '../schemas.js';
import { assertUnchangedSince, type ScheduledState } from '../schedules/scheduled-state.js';
import { assertDraftPermitted, type DraftPrecondition } from './draft-etag.js';
import { type Draft, readOnlyDraft, reviewOf } from './draft-presenter.js';
import {
  conflictsOf,
  type DraftValues,
  ownSliced,
  savedSliced,
  shownSliced,
  type StoredDraft,
} from './draft-values.js';
import type { SaveDraftDto } from './drafts.dto.js';
import { DraftedEntries } from './drafted-entries.js';
import { DISCARD_DRAFT, type DraftedEntry, GET_WITH_DRAFT, SAVE_DRAFT } from './drafts.sql.js';

interface Publication {
  precondition: DraftPrecondition;
  /** Publish even if fields of the draft were changed on the live entry. */
  force: boolean;
  /** As the history shows it; the default is `published`. */
  action?: VersionAction;
  /** Publish only what the schedule was set for. */
  scheduled?: ScheduledState;
  /** Runs the statement, and may commit others with it. The default is the database. */
  executor?: Executor;
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
    private readonly updates: UpdateEntry,
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
   * it. Throws a 412 if the precondition fails, and a 422 that lists every wrong value.
   */
  async save(
    caller: Caller,
    typeName: IdOrSlug,
    entryId: string,
    body: CheckedBody<SaveDraftDto>,
    precondition: DraftPrecondition,
  ): Promise<Draft> {
    const { tenantId } = caller;
    const { dto, errors, isHeavy: isLarge } = body;
    const { fields = {} } = dto;
    const isEmpty = errors.length === 0 && isEmptyObject(fields);
    const values = this.values.ofRequest({ tenantId, isHeavy: isLarge }, 'patch', fields);
    for await (const { before, type } of this.attempts.onEntry({ tenantId, typeName, entryId }, GET_WITH_DRAFT)) {
      const draft = hasDraft(before) ? before : undefined;
      // It only reads.
      if (isEmpty) assertMayRead(caller, { area: 'content', typeId: type.id });
      if (isEmpty && !draft) throw noDraft();
      assertDraftPermitted(precondition, draft?.number);
      const shown = draft && (() => shownDraft(tenantId, type, draft));
      const readOnly = await changedReadOnlyOf(dto, async () => {
        const stored = shown && readOnlyDraft(await shown());
        return stored ? comparable(caller, { area: 'content', typeId: type.id }, () => stored) : {};
      });
      if (isEmpty && shown && readOnly.length === 0) return await shown();
      const patch = await values.check(type);
      const write = { tenantId, typeName, type, isHeavy: isLarge || isHeavyEntry(before) };
      const saved = await this.store(caller, write, before, draft, patch, [...errors, ...readOnly]);
      if (saved) return saved;
    }
    throw tooManyChanges();
  }

  /** Removes the draft. Throws a 404 if the entry has no draft. */
  async discard(caller: Caller, typeName: IdOrSlug, entryId: string, precondition: DraftPrecondition): Promise<void> {
    const { tenantId } = caller;
    for await (const { before, type } of this.attempts.onEntry({ tenantId, typeName, entryId }, GET_WITH_DRAFT)) {
      if (!hasDraft(before)) throw noDraft();
      const { number } = before;
      assertDraftPermitted(precondition, number);
      const discarded = await this.attempts.commit(this.database, tenantId, DISCARD_DRAFT, {
        typeId: type.id,
        entryId,
        number,
        unapproved: mayChangeLive(caller, type.id) ? null : number + 1,
        audit: auditOf(caller, { action: 'draft_discarded', resource: entryResource(entryId) }),
      });
      if (discarded.length > 0) return;
    }
    throw tooManyChanges();
  }

  /**
   * Makes the draft's own values live, publishes the entry and removes the draft, in one commit. Throws a 404 if there is no draft, a 409 if its
   * fields were changed on the live entry, and a 422 if the entry would not match its schema.
   */
  async publish(
    by: TenantAuthor,
    typeName: IdOrSlug,
    entryId: string,
    { precondition, force, action = 'published', scheduled, executor }: Publication,
  ): Promise<EntryOfType> {
    const { tenantId } = by;
    for await (const { before, type } of this.attempts.onEntry({ tenantId, typeName, entryId }, GET_WITH_DRAFT)) {
      if (!hasDraft(before)) throw noDraft();
      assertDraftPermitted(precondition, before.number);
      if (scheduled) assertUnchangedSince(scheduled, before);
      const write = { tenantId, typeName, type, isHeavy: isHeavyEntry(before) };
      const own = await heavyWork.runIf(write.isHeavy, tenantId, ownSliced(type.schema, before));
      if (!force) await assertNoConflicts(write, before, own);
      // The type may have changed since the values were saved.
      const patch = await this.values.check(write, { type, mode: 'patch', values: valuesOf(own) });
      const transition = { ...PUBLISH, action };
      const more = { draftNumber: before.number };
      const row = await this.updates.apply(PUBLISH_DRAFT, write, before, { patch, transition, by, executor, more });
      if (row) return row;
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
    const kept = await keptOf(tenantId, type, before, patch);
    const uniques = await heavyWork.runIf(isLarge, tenantId, schema.uniquesSliced(set));
    const wrong = [...errors, ...patch.errors, ...kept];
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

/** The own values as a patch has them: null removes a value. */
function valuesOf({ names, set }: DraftValues): EntryFields {
  return Object.fromEntries(names.map((name) => [name, Object.hasOwn(set, name) ? set[name] : null]));
}

/** Throws a 409 that names each own field of the draft that was changed on the live entry. */
async function assertNoConflicts(
  { tenantId, isHeavy: isLarge }: Write,
  { fields }: DraftedEntry,
  own: DraftValues,
): Promise<void> {
  const names = await heavyWork.runIf(isLarge, tenantId, conflictsOf(fields, own));
  if (names.length === 0) return;
  const errors = names.map((name): ValueError => ({
    path: `fields.${name}`,
    code: 'conflict',
    message: `${name} was changed on the live entry after it was saved in the draft.`,
  }));
  const subject = names.length === 1 ? '1 field of the draft was' : `${names.length} fields of the draft were`;
  const detail = `${subject} changed on the live entry. Nothing was published. Send force=true to publish the draft anyway.`;
  throw new Problem('conflict', detail, errors);
}
