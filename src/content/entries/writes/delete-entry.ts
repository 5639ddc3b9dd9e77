import { Injectable } from '@nestjs/common';
import { heavyWork, isHeavy } from '../../../admission/heavy-work.js';
import type { SlicedWork } from '../../../admission/sliced-work.js';
import { Database } from '../../../database/database.js';
import type { Author, Caller } from '../../../http/caller.js';
import { assertPermitted, type Precondition } from '../../../http/responses/etag.js';
import type { IdOrSlug } from '../../../ids/id-or-slug.js';
import { assertNotLimited } from '../../locales/locale-rights.js';
import { assertMayChangeEntry } from '../../live-changes.js';
import { ReferentialActions } from '../../references/referential-actions.js';
import type { CompiledType } from '../../schemas.js';
import { type EntryForWrite, GET_FOR_WRITE } from '../entries.sql.js';
import { Attempts, tooManyChanges } from './attempts.js';
import { deletionOf, parametersOf } from './entry-write.js';
import { DELETE_ENTRY, DELETE_LOCALIZED_ENTRY, type Deletion } from './delete-entry.sql.js';

@Injectable()
export class DeleteEntry {
  constructor(
    private readonly database: Database,
    private readonly attempts: Attempts,
    private readonly guarded: ReferentialActions,
  ) {}

  /** Throws a 412 if the precondition fails, a 403 if the caller may not change what is live, and a 409 if references with `on_delete` refuse the deletion. */
  async run(by: Caller, typeName: IdOrSlug, entryId: string, precondition: Precondition): Promise<void> {
    const { tenantId } = by;
    assertNotLimited(by, 'cannot delete entries');
    for await (const { before, type } of this.attempts.onEntry({ tenantId, typeName, entryId }, GET_FOR_WRITE)) {
      assertPermitted(precondition, before.version, 'entry');
      assertMayChangeEntry(by, type.id, { before: before.status });
      const steps = parametersOfDeletion(type, before, by);
      const deletion = await heavyWork.runIf(isHeavy(before.fields.length), tenantId, steps);
      const statement = type.localeSearch ? DELETE_LOCALIZED_ENTRY : DELETE_ENTRY;
      const deleted = type.isGuarded
        ? await this.guarded.deleteEntry(by, statement, deletion)
        : await this.attempts.commit(this.database, tenantId, statement, deletion);
      if (deleted.length > 0) return;
    }
    throw tooManyChanges();
  }
}

function* parametersOfDeletion(type: CompiledType, before: EntryForWrite, by: Author): SlicedWork<Deletion> {
  const { version, isDrafted, schedules, preparedFrom } = before;
  const deletion = yield* deletionOf(type, before);
  return { ...(yield* parametersOf(deletion, by)), version, isDrafted, schedules, preparedFrom };
}
