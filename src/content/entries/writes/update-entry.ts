import { Injectable } from '@nestjs/common';
import { heavyWork, isHeavy } from '../../../admission/heavy-work.js';
import { Database } from '../../../database/database.js';
import type { Executor } from '../../../database/transaction.js';
import type { ValueError } from '../../../errors/problem.js';
import type { CheckedBody } from '../../../http/bodies/dto.pipe.js';
import { assertPermitted, type Precondition } from '../../../http/responses/etag.js';
import { changedReadOnly } from '../../../http/bodies/read-only.js';
import type { IdOrSlug } from '../../../ids/id-or-slug.js';
import type { VersionAction } from '../../history/entry-version.js';
import type { UpdateEntryDto } from '../entries.dto.js';
import { type EntryForWrite, type EntryOfType, GET_FOR_WRITE } from '../entries.sql.js';
import { readOnlyProperties } from '../entry-presenter.js';
import { Attempts, tooManyChanges } from './attempts.js';
import { EntryValidation, type Write } from './entry-validation.js';
import { type CheckedValues, EntryValues } from './entry-values.js';
import { type Transition, transitionOf, updateOf } from './entry-write.js';
import { EntryWriter, type TenantAuthor } from './entry-writer.js';
import { UPDATE_ENTRY, type EntryUpdate as UpdateParameters } from './update-entry.sql.js';
import type { WriteStatement } from './entry-parts.sql.js';
import { applyPatch } from './patch.js';

/** What becomes of an entry. */
interface Update<More> {
  patch: CheckedValues;
  /** Errors that were found before those of the patch. */
  errors?: readonly ValueError[];
  transition: Transition;
  by: TenantAuthor;
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
    { action, executor }: { action?: VersionAction; executor?: Executor } = {},
  ): Promise<EntryOfType> {
    const { tenantId } = by;
    const { fields = {}, status } = dto;
    const values = this.values.ofRequest({ tenantId, isHeavy: isLarge }, 'patch', fields);
    for await (const { before, type } of this.attempts.onEntry({ tenantId, typeName, entryId }, GET_FOR_WRITE)) {
      assertPermitted(precondition, before.version, 'entry');
      const patch = await values.check(type);
      const readOnly = changedReadOnly(dto, () => readOnlyProperties(type.id, before));
      const transition = transitionOf(before.status, status);
      const write = { tenantId, typeName, type, isHeavy: isLarge || isHeavy(before.fields.length) };
      const row = await this.apply(UPDATE_ENTRY, write, before, {
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

  /**
   * Checks the entry as the patch leaves it, and runs the statement with it. Returns undefined if the attempt is lost. Throws a 422 that lists every
   * wrong value.
   */
  async apply<More extends object>(
    statement: WriteStatement<UpdateParameters & More>,
    write: Write,
    before: EntryForWrite,
    { patch, errors = [], transition, by, executor = this.database, more }: Update<More>,
  ): Promise<EntryOfType | undefined> {
    const { tenantId, type, isHeavy: isLarge } = write;
    const patching = applyPatch(type.schema, before.fields, {
      ...patch,
      isPublished: transition.status === 'published',
    });
    const { errors: ofWhole, ...change } = await heavyWork.runIf(isLarge, tenantId, patching);
    const known = new Set([...errors, ...patch.errors].map(({ path }) => path));
    const wrong = [...errors, ...patch.errors, ...ofWhole.filter(({ path }) => !known.has(path))];
    const reliance = { id: before.id, uniques: change.uniques.added, referring: patch.referring };
    const valid = await this.validation.assertValid(write, wrong, reliance);
    if (!valid) return undefined;
    const updated = await heavyWork.runIf(isLarge, tenantId, updateOf(type, before, change, transition, by, isLarge));
    const options = { executor, by, isHeavy: isLarge, ...valid, more: { version: before.version, ...more } };
    return (await this.writer.write(statement, updated, options)) ? updated.row : undefined;
  }
}
