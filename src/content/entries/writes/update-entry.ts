import { Injectable } from '@nestjs/common';
import { heavyWork, isHeavy } from '../../../admission/heavy-work.js';
import { Database } from '../../../database/database.js';
import type { Executor } from '../../../database/transaction.js';
import type { ValueError } from '../../../errors/problem.js';
import type { SentIn } from '../../../fields/localized/sent-values.js';
import type { CheckedBody } from '../../../http/bodies/dto.pipe.js';
import { assertPermitted, type Precondition } from '../../../http/responses/etag.js';
import { changedReadOnly } from '../../../http/bodies/read-only.js';
import type { IdOrSlug } from '../../../ids/id-or-slug.js';
import type { VersionAction } from '../../history/entry-version.js';
import type { UpdateEntryDto } from '../entries.dto.js';
import type { LiveChange } from '../../locales/live-locales.js';
import { assertMayUpdateInLocales } from '../../locales/locale-rights.js';
import { localesOf } from '../../locales/tenant-locales.js';
import { isOfStored } from '../../locales/locale.dto.js';
import { sentErrors } from '../../locales/sent-in-locale.js';
import { assertMayChangeEntry, mayChangeLive, type LiveRights } from '../../live-changes.js';
import { assertUnchangedSince, type ScheduledState } from '../../schedules/scheduled-state.js';
import { GET_UNAPPROVED } from '../../schedules/schedules.sql.js';
import { type EntryForWrite, type EntryOfType, GET_FOR_WRITE } from '../entries.sql.js';
import { readOnlyProperties } from '../entry-presenter.js';
import { Attempts, tooManyChanges } from './attempts.js';
import { EntryValidation, type Write } from './entry-validation.js';
import { type CheckedValues, EntryValues } from './entry-values.js';
import { type Transition, transitionOf, updateOf } from './entry-write.js';
import { EntryWriter, type TenantAuthor } from './entry-writer.js';
import { type FirstPublication, PUBLISH_ENTRY, UPDATE_ENTRY, UPDATE_UNAPPROVED } from './update-entry.sql.js';
import type { WriteStatement } from './entry-parts.sql.js';
import { applyPatch } from './patch.js';

/** What becomes of an entry. */
interface Update<More> {
  patch: CheckedValues;
  /** Errors that were found before those of the patch. */
  errors?: readonly ValueError[];
  transition: Transition;
  by: TenantAuthor;
  /** What becomes of the locales that readers see. */
  live?: LiveChange;
  /** Runs the statement. The default is the database. */
  executor?: Executor;
  /** Parameters of the statement that an update does not have. */
  more: More;
}

@Injectable()
export class UpdateEntry {
  constructor(
    private readonly database: Database,
    private readonly attempts: Attempts,
    private readonly values: EntryValues,
    private readonly validation: EntryValidation,
    private readonly writer: EntryWriter,
  ) {}

  /**
   * Changes only the values that were sent, even if the entry changes concurrently. `executor` may commit other statements with the update.
   * Throws a 412 if the precondition fails, and a 422 that lists every wrong value.
   */
  async run(
    by: TenantAuthor,
    typeName: IdOrSlug,
    entryId: string,
    { dto, errors, isHeavy: isLarge }: CheckedBody<UpdateEntryDto>,
    precondition: Precondition,
    {
      action,
      scheduled,
      executor,
      locale,
    }: { action?: VersionAction; scheduled?: ScheduledState; executor?: Executor; locale?: SentIn } = {},
  ): Promise<EntryOfType> {
    const { tenantId } = by;
    const { fields = {}, status } = dto;
    const values = this.values.ofRequest({ tenantId, isHeavy: isLarge }, 'patch', fields, locale);
    for await (const { before, type } of this.attempts.onEntry({ tenantId, typeName, entryId }, GET_FOR_WRITE)) {
      if (scheduled) await this.assertUnchangedSince(scheduled, tenantId, type.id, before);
      assertPermitted(precondition, before.version, 'entry');
      const patch = await values.check(type);
      const readOnly = changedReadOnly(dto, () => readOnlyProperties(type.id, before)).filter(isOfStored(locale));
      const transition = transitionOf(before.status, status);
      const write = { tenantId, typeName, type, isHeavy: isLarge || isHeavy(before.fields.length), locale };
      const row = await this.apply(updateStatement(by, type.id, before, transition), write, before, {
        patch,
        errors: [...errors, ...readOnly],
        transition: action ? { ...transition, action } : transition,
        by,
        executor,
        more: {},
      });
      if (row) return row;
    }
    throw tooManyChanges();
  }

  /** The version of the entry that was read is the one that is written. Only a draft that was discarded matters besides. */
  private async assertUnchangedSince(
    scheduled: ScheduledState,
    tenantId: string,
    typeId: string,
    { id }: EntryForWrite,
  ) {
    const [unapproved] = await this.database.query(tenantId, GET_UNAPPROVED, { typeId, entryId: id });
    if (unapproved) assertUnchangedSince(scheduled, unapproved);
  }

  /**
   * Checks the entry as the patch leaves it, and runs the statement with it. Returns undefined if the attempt is lost. Throws a 403 if the author may
   * not change what is live, and a 422 that lists every wrong value.
   */
  async apply<More extends object>(
    statement: WriteStatement<FirstPublication & More>,
    write: Write,
    before: EntryForWrite,
    { patch, errors = [], transition, by, live, executor = this.database, more }: Update<More>,
  ): Promise<EntryOfType | undefined> {
    const { tenantId, type, isHeavy: isLarge } = write;
    assertMayChangeEntry(by, type.id, { before: before.status, after: transition.status });
    const patching = applyPatch(type.schema, before.fields, {
      ...patch,
      isPublished: transition.status === 'published',
      ...(live && { live: { change: live, before: before.status } }),
    });
    const { errors: ofStored, ...change } = await heavyWork.runIf(isLarge, tenantId, patching);
    const ofWhole = sentErrors(write, ofStored);
    const known = new Set([...errors, ...patch.errors].map(({ path }) => path));
    const wrong = [...errors, ...patch.errors, ...ofWhole.filter(({ path }) => !known.has(path))];
    const reliance = { id: before.id, uniques: change.uniques.added, referring: patch.referring };
    const valid = await this.validation.assertValid(write, wrong, reliance);
    if (!valid) return undefined;
    const updated = await heavyWork.runIf(isLarge, tenantId, updateOf(type, before, change, transition, by, isLarge));
    if (by.locales) {
      const { default: standard } = type.locales ?? (await localesOf(this.database, tenantId));
      const isOfLocales = live !== undefined && !('publishesDraftOf' in live);
      const changed = { before: before.status, transition, names: updated.storedNames, isOfLocales };
      assertMayUpdateInLocales(by, type, changed, standard);
    }
    const { version, isDrafted, preparedFrom } = before;
    const of = { executor, by, isHeavy: isLarge, preparedFrom };
    const options = { ...of, ...valid, more: { version, isDrafted, ...more } };
    return (await this.writer.write(statement, updated, options)) ? updated.row : undefined;
  }
}

/** The statement of an update that leaves the draft as it is. */
export function updateStatement(
  by: LiveRights,
  typeId: string,
  before: EntryForWrite,
  { status }: Pick<Transition, 'status'>,
): WriteStatement<FirstPublication> {
  if (!mayChangeLive(by, typeId)) return UPDATE_UNAPPROVED;
  return before.status === 'draft' && status === 'published' ? PUBLISH_ENTRY : UPDATE_ENTRY;
}
