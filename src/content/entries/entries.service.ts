import { Injectable } from '@nestjs/common';
import { auditOf } from '../../audit/record-changes.js';
import type { Author, Caller } from '../../http/caller.js';
import { heavyWork, isHeavy } from '../../admission/heavy-work.js';
import { runNow } from '../../admission/steps.js';
import { Database, type Executor } from '../../database/database.js';
import { Problem } from '../../errors/problem.js';
import { matchDeferredPatterns } from '../../fields/pattern-runner.js';
import type { WholeResult } from '../../fields/schema.js';
import type { Checked } from '../../http/dto.pipe.js';
import { changedReadOnly } from '../../http/read-only.js';
import type { IdOrSlug } from '../../ids/id-or-slug.js';
import { newUuid, timeOf } from '../../ids/type-id.js';
import { Limits } from '../../tenants/limits.js';
import { ENTRIES } from '../content-usage.js';
import {
  type EntryOfType,
  GET_ENTRY,
  GET_ENTRY_BY_SLUG,
  GET_ENTRY_WITH_TYPE,
  GET_FOR_WRITE,
  GET_LIVE_ENTRY,
} from './entries.sql.js';
import { CREATE_ENTRY, DELETE_ENTRY, UPDATE_ENTRY, writeEntry } from './entry-writes.sql.js';
import type { CreateEntryDto, UpdateEntryDto } from './entries.dto.js';
import {
  actionOf,
  eventsOf,
  type Commit,
  CREATED,
  EntryChanges,
  entryEvents,
  entryResource,
  oncePerSchema,
  run,
  statusCount,
} from './entry-changes.js';
import { assertPermitted, type Precondition } from '../../http/etag.js';
import { readOnlyProperties } from './entry-presenter.js';
import { KnownWords, newWordColumns } from './known-words.js';
import { summaryOf, UNLISTED, type VersionAction } from '../history/entry-version.js';
import { deriveAll, documentColumns, heldUniques, publishedAt } from './entry-writes.js';
import { MediaIds } from '../media-ids.js';
import { GuardedDeletions } from '../references/guarded-deletions.js';

/** Reads and writes single entries. A write is one statement that commits the change, its index rows and its events together. */
@Injectable()
export class EntriesService {
  constructor(
    private readonly database: Database,
    private readonly mediaIds: MediaIds,
    private readonly changes: EntryChanges,
    private readonly knownWords: KnownWords,
    private readonly guarded: GuardedDeletions,
    private readonly limits: Limits,
  ) {}

  async get(caller: Caller, type: IdOrSlug, entryId: string): Promise<EntryOfType> {
    const { tenantId, publishedOnly } = caller;
    const entry =
      type.id === undefined || caller.requireKey
        ? await this.getWithType(caller, type, entryId)
        : await this.getOfType(tenantId, type.id, entryId);
    if (!entry || (publishedOnly && entry.status !== 'published')) throw Problem.notFound('entry');
    return entry;
  }

  private async getOfType(tenantId: string, typeId: string, entryId: string): Promise<EntryOfType | undefined> {
    const [row] = await this.database.reads.query(tenantId, GET_ENTRY, { typeId, entryId });
    // Adding to the row costs less than copying it.
    if (!row?.hasNext) return row && Object.assign(row, { typeId });
    const [live] = await this.database.reads.query(tenantId, GET_LIVE_ENTRY, { typeId, entryId });
    return live && { ...live, typeId };
  }

  /** Reads the type with the entry, because a cached type may since have got another slug, or no longer be public. */
  private async getWithType(caller: Caller, type: IdOrSlug, entryId: string): Promise<EntryOfType | undefined> {
    const { tenantId, share, requireKey } = caller;
    const { id, slug } = type;
    const [row] = await (id === undefined
      ? this.database.reads.query(tenantId, GET_ENTRY_BY_SLUG, { slug, entryId }, share)
      : this.database.reads.query(tenantId, GET_ENTRY_WITH_TYPE, { typeId: id, entryId }, share));
    if (!row?.isPublic) await requireKey?.();
    return row?.id == null ? undefined : (row as EntryOfType);
  }

  /**
   * Throws a 422 that lists every wrong value, including taken unique values and missing references, and a 403 if the tenant's limit is
   * reached.
   */
  async create(caller: Caller, typeName: IdOrSlug, body: Checked<CreateEntryDto>): Promise<EntryOfType> {
    const { tenantId, keyName } = caller;
    const { fields, status = 'draft' } = body.dto;
    const check = oncePerSchema(async ({ schema }): Promise<Pick<WholeResult, 'values' | 'errors' | 'doubtful'>> => {
      // If `fields` is missing, the DTO has already reported it.
      if (!fields) return { values: {}, errors: body.errors };
      const named = await this.mediaIds.resolve(tenantId, { schema, values: fields, isNew: true }, body.isHeavy);
      const steps = schema.checkWholeSteps(named.values);
      const checked = body.isHeavy ? await heavyWork.run(tenantId, steps) : runNow(steps);
      if (checked.deferred) await matchDeferredPatterns(tenantId, checked.deferred, checked.values);
      return { ...checked, errors: [...body.errors, ...checked.errors, ...named.errors] };
    });
    return this.changes.retry(tenantId, typeName, async (type) => {
      const typeId = type.id;
      const id = newUuid();
      const { values, errors, doubtful } = await check(type);
      const finding = type.schema.uniquesSteps(values);
      const uniques = body.isHeavy ? await heavyWork.run(tenantId, finding) : runNow(finding);
      const write = { tenantId, typeName, type, isHeavy: body.isHeavy };
      const guard = await this.changes.assertValid(write, [...errors], {
        id,
        uniques,
        values: { ...values, ...doubtful },
      });

      const steps = deriveAll(type, { values, uniques, isHeavy: body.isHeavy });
      const derived = body.isHeavy ? await heavyWork.run(tenantId, steps) : runNow(steps);
      const at = timeOf(id).toISOString();
      const row: EntryOfType = {
        typeId,
        id,
        fields: derived.fields,
        status,
        version: 1,
        createdAt: at,
        updatedAt: at,
        publishedAt: publishedAt(status, at),
      };
      const newWords = this.knownWords.unknown(tenantId, typeId, derived.document.vocabulary);
      const executor = this.limits.executor({ tenantId, resource: ENTRIES, amount: 1 });
      const written = await writeEntry(executor, tenantId, CREATE_ENTRY, {
        guard,
        typeId,
        typeVersion: type.version,
        entryId: id,
        fields: row.fields,
        status,
        publishedAt: row.publishedAt,
        ...documentColumns(derived.document),
        ...newWordColumns(newWords),
        at,
        ...derived.added,
        ...statusCount(status, 1),
        ...entryEvents(CREATED[status], typeId, row),
        summary: summaryOf({ action: 'created', status, changed: Object.keys(values), by: keyName }),
        audit: auditOf(caller, { action: 'created', resource: entryResource(id) }),
      });
      if (written.length === 0) return this.changes.stale(tenantId, typeName);
      this.knownWords.add(tenantId, typeId, newWords);
      return row;
    });
  }

  /**
   * Changes only the values that were sent, even if the entry changes concurrently. `commit` may add statements to the commit. Throws a 412
   * if the precondition fails.
   */
  async update(
    by: Author & Pick<Caller, 'tenantId'>,
    typeName: IdOrSlug,
    entryId: string,
    body: Checked<UpdateEntryDto>,
    precondition: Precondition,
    { action, commit = (write) => write(this.database) }: { action?: VersionAction; commit?: Commit } = {},
  ): Promise<EntryOfType> {
    const { tenantId } = by;
    const { fields = {}, status: newStatus } = body.dto;
    const check = oncePerSchema((type) => this.changes.checkPatch(tenantId, type, fields, body.isHeavy));
    const name = { tenantId, typeName, entryId };
    return this.changes.inTurn(name, async (current) => {
      const { before, type } = await this.changes.read(name, current, GET_FOR_WRITE);
      assertPermitted(precondition, before.version, 'entry');
      const checked = await check(type);
      const readOnly = changedReadOnly(body.dto, () => readOnlyProperties(type.id, before));
      const write = { tenantId, typeName, type, isHeavy: body.isHeavy || isHeavy(before.fields.length) };
      const update = {
        patch: { ...checked, errors: [...body.errors, ...readOnly, ...checked.errors] },
        status: newStatus ?? before.status,
        events: eventsOf(before.status, newStatus),
        action: action ?? actionOf(before.status, newStatus),
        by,
      };
      return this.changes.update(write, before, update, (row) =>
        commit((executor) => writeEntry(executor, tenantId, UPDATE_ENTRY, row)),
      );
    });
  }

  /** Throws a 412 if the precondition fails, and a 409 if references with `on_delete` refuse the deletion. */
  async delete(caller: Caller, typeName: IdOrSlug, entryId: string, precondition: Precondition): Promise<void> {
    const { tenantId } = caller;
    const name = { tenantId, typeName, entryId };
    await this.changes.inTurn(name, async (current) => {
      const { before, type } = await this.changes.read(name, current, GET_FOR_WRITE);
      assertPermitted(precondition, before.version, 'entry');
      const typeId = type.id;
      const steps = heldUniques(type.schema, before.fields);
      const uniques = await run({ tenantId, isHeavy: isHeavy(before.fields.length) }, steps);
      const deletion = {
        typeId,
        typeVersion: type.version,
        entryId,
        version: before.version,
        isDrafted: before.isDrafted,
        schedules: before.schedules,
        preparedOf: before.preparedOf,
        at: new Date().toISOString(),
        ...uniques,
        ...statusCount(before.status, -1),
        ...entryEvents(['entry.deleted'], typeId, before),
        summary: UNLISTED,
        audit: auditOf(caller, { action: 'deleted', resource: entryResource(entryId) }),
      };
      const remove = (executor: Executor) => executor.query(tenantId, DELETE_ENTRY, deletion);
      const written = type.isGuarded
        ? await this.guarded.deleteEntry(caller, deletion, remove)
        : await remove(this.database);
      return written.length > 0 ? true : undefined;
    });
  }
}
