import { Injectable } from '@nestjs/common';
import { heavyWork } from '../../admission/heavy-work.js';
import { Database } from '../../database/database.js';
import type { Executor } from '../../database/transaction.js';
import { Problem, type ValueError } from '../../errors/problem.js';
import { readName } from '../../fields/localized/localized-names.js';
import type { IdOrSlug } from '../../ids/id-or-slug.js';
import type { EntryOfType } from '../entries/entries.sql.js';
import { Attempts, type EntryName, tooManyChanges } from '../entries/writes/attempts.js';
import type { WriteStatement } from '../entries/writes/entry-parts.sql.js';
import type { Write } from '../entries/writes/entry-validation.js';
import { type EntryFields, EntryValues } from '../entries/writes/entry-values.js';
import { keeping, PUBLISH, type Transition } from '../entries/writes/entry-write.js';
import type { TenantAuthor } from '../entries/writes/entry-writer.js';
import { UpdateEntry, updateStatement } from '../entries/writes/update-entry.js';
import {
  APPLY_DRAFT,
  APPLY_DRAFT_UNAPPROVED,
  type FirstPublication,
  type FoldedDraft,
  PUBLISH_DRAFT,
  PUBLISH_PART,
} from '../entries/writes/update-entry.sql.js';
import type { VersionAction } from '../history/entry-version.js';
import { mayChangeLive } from '../live-changes.js';
import { assertKnownCodes } from '../locales/known-codes.js';
import { ALL_LOCALES } from '../locales/locale-request.js';
import { assertMayPublishLocales } from '../locales/locale-rights.js';
import { localesOf } from '../locales/tenant-locales.js';
import type { CompiledType } from '../schemas.js';
import { assertUnchangedSince, type ScheduledState } from '../schedules/scheduled-state.js';
import { assertDraftPermitted, type DraftPrecondition } from './draft-etag.js';
import { conflictsOf, type DraftValues, ownSliced, splitByLocale } from './draft-values.js';
import { hasDraft, isHeavyEntry, noDraft } from './drafts.service.js';
import { type DraftedEntry, GET_WITH_DRAFT } from './drafts.sql.js';

/** How the values of a draft become those of the entry. */
interface Folding {
  precondition: DraftPrecondition;
  /** Do so even if fields of the draft were changed on the live entry. */
  force: boolean;
}

interface Publication extends Folding {
  /** Publish the values of these locales alone. */
  locales?: readonly string[];
  /** As the history shows it; the default is `published`. */
  action?: VersionAction;
  /** Publish only what the schedule was set for. */
  scheduled?: ScheduledState;
  /** Runs the statement, and may commit others with it. The default is the database. */
  executor?: Executor;
}

/** How an attempt writes the entry. Throws a problem if the entry is not in the right state. */
type Fold = (
  before: DraftedEntry,
  typeId: string,
) => { statement: WriteStatement<FoldedDraft>; transition: Transition };

/** Makes the values of drafts those of their entries: live, or of an entry that is not published. */
@Injectable()
export class PublishDraft {
  constructor(
    private readonly database: Database,
    private readonly attempts: Attempts,
    private readonly values: EntryValues,
    private readonly updates: UpdateEntry,
  ) {}

  /**
   * Makes the draft's own values live, publishes the entry and removes the draft, in one commit. Throws a 404 if there is no draft, a 409 if its
   * fields were changed on the live entry, and a 422 if the entry would not match its schema.
   */
  async publish(
    by: TenantAuthor,
    typeName: IdOrSlug,
    entryId: string,
    { action = 'published', scheduled, executor, locales, ...folding }: Publication,
  ): Promise<EntryOfType> {
    const fold: Fold = (before) => {
      if (scheduled) assertUnchangedSince(scheduled, before);
      return { statement: PUBLISH_DRAFT, transition: { ...PUBLISH, action } };
    };
    const entry = { tenantId: by.tenantId, typeName, entryId };
    if (locales) return this.publishLocales(by, entry, folding, { fold, executor, locales });
    return this.fold(by, entry, folding, { fold, executor });
  }

  /**
   * Publishes what the draft has of these locales, and what there is of those that are taken off. The rest stays in the draft. Throws a 409 if the
   * entry is not published and the default locale is not among them, and a 404 if there is nothing to publish.
   */
  private async publishLocales(
    by: TenantAuthor,
    entry: EntryName,
    { precondition, force }: Folding,
    { fold, executor, locales }: { fold: Fold; executor: Executor | undefined; locales: readonly string[] },
  ): Promise<EntryOfType> {
    const { tenantId } = entry;
    for await (const { before, type } of this.attempts.onEntry(entry, GET_WITH_DRAFT)) {
      const settings = type.locales ?? (await localesOf(this.database, tenantId));
      assertKnownCodes(locales, settings, 'locale');
      assertMayPublishLocales(by, locales);
      if (before.status === 'draft' && !locales.includes(settings.default)) throw publishDefaultFirst(settings.default);
      const write = writeOf(entry, type, before);
      const { statement, transition } = fold(before, type.id);
      if (hasDraft(before)) assertDraftPermitted(precondition, before.number);
      const parts = await heavyWork.runIf(
        write.isHeavy,
        tenantId,
        splitByLocale(type, before, locales, settings.default),
      );
      const { own, rest, isTakenOff } = parts;
      if (own.names.length === 0 && !isTakenOff && before.status === 'published') throw noDraft();
      if (!force) await assertNoConflicts(write, before, own);
      const patch = await this.values.check(write, { type, mode: 'patch', values: valuesOf(own), isStored: true });
      const update = { patch, transition, by, executor, live: { publishes: locales } };
      const apply = <More extends object>(how: WriteStatement<FirstPublication & More>, more: More) =>
        this.updates.apply(how, write, before, { ...update, more });
      const { number: draftNumber } = before;
      const row = await (own.names.length === 0
        ? apply(updateStatement(by, type.id, before, transition), {})
        : rest
          ? apply(PUBLISH_PART, { draftNumber, ...rest })
          : apply(statement, { draftNumber }));
      if (row) return row;
    }
    throw tooManyChanges();
  }

  /**
   * Makes the draft's own values those of an entry that is not published, and removes the draft, in one commit. Its review goes on. Throws a 409 if
   * the entry is published, otherwise as `publish` does. Values that are still missing are no error.
   */
  async apply(by: TenantAuthor, typeName: IdOrSlug, entryId: string, folding: Folding): Promise<EntryOfType> {
    const fold: Fold = ({ status }, typeId) => {
      if (status === 'published') throw isPublished();
      const isApproved = !folding.force || mayChangeLive(by, typeId);
      return { statement: isApproved ? APPLY_DRAFT : APPLY_DRAFT_UNAPPROVED, transition: keeping(status, 'updated') };
    };
    return this.fold(by, { tenantId: by.tenantId, typeName, entryId }, folding, { fold });
  }

  private async fold(
    by: TenantAuthor,
    entry: EntryName,
    { precondition, force }: Folding,
    { fold, executor }: { fold: Fold; executor?: Executor },
  ): Promise<EntryOfType> {
    const { tenantId } = entry;
    for await (const { before, type } of this.attempts.onEntry(entry, GET_WITH_DRAFT)) {
      const { statement, transition } = fold(before, type.id);
      if (!hasDraft(before)) throw noDraft();
      assertDraftPermitted(precondition, before.number);
      const write = writeOf(entry, type, before);
      const own = await heavyWork.runIf(write.isHeavy, tenantId, ownSliced(type.schema, before));
      if (!force) await assertNoConflicts(write, before, own);
      // The type may have changed since the values were saved.
      const patch = await this.values.check(write, { type, mode: 'patch', values: valuesOf(own), isStored: true });
      const more = { draftNumber: before.number };
      const live = { publishesDraftOf: localesIn(own.names) };
      const row = await this.updates.apply(statement, write, before, { patch, transition, by, live, executor, more });
      if (row) return row;
    }
    throw tooManyChanges();
  }
}

/** A draft may have values of several locales, so errors say of which they are. */
function writeOf({ tenantId, typeName }: EntryName, type: CompiledType, before: DraftedEntry): Write {
  return { tenantId, typeName, type, isHeavy: isHeavyEntry(before), locale: ALL_LOCALES };
}

function isPublished(): Problem {
  return new Problem('conflict', 'The entry is published. Publish the draft to make its values live.');
}

/** The own values as a patch has them: null removes a value. */
function valuesOf({ names, set }: DraftValues): EntryFields {
  return Object.fromEntries(names.map((name) => [name, Object.hasOwn(set, name) ? set[name] : null]));
}

/** The locales other than the default of which a draft has values. */
function localesIn(names: readonly string[]): string[] {
  return [...new Set(names.flatMap((name) => readName(name).locale ?? []))];
}

function publishDefaultFirst(standard: string): Problem {
  return new Problem('conflict', `The entry is not published. Publish the default language first: ${standard}.`);
}

/** Throws a 409 that names each own field of the draft that was changed on the live entry. */
async function assertNoConflicts(
  { tenantId, isHeavy: isLarge }: Write,
  { fields }: DraftedEntry,
  own: DraftValues,
): Promise<void> {
  const names = await heavyWork.runIf(isLarge, tenantId, conflictsOf(fields, own));
  if (names.length === 0) return;
  const errors = names.map((name): ValueError => {
    const { own: field, locale } = readName(name);
    const [path, subject] = locale === undefined ? [field, field] : [`${field}.${locale}`, `${field} (${locale})`];
    const message = `${subject} was changed on the live entry after it was saved in the draft.`;
    return { path: `fields.${path}`, code: 'conflict', message };
  });
  const subject = names.length === 1 ? '1 field of the draft was' : `${names.length} fields of the draft were`;
  const detail = `${subject} changed on the live entry. Nothing was changed. Send force=true to use the draft anyway.`;
  throw new Problem('conflict', detail, errors);
}
