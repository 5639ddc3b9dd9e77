import { Injectable } from '@nestjs/common';
import { type AuditedChange, auditOf } from '../../audit/record-changes.js';
import { heavyWork } from '../../admission/heavy-work.js';
import { KeyedQueue } from '../../admission/keyed-queue.js';
import { runNow, type Steps } from '../../admission/steps.js';
import { Database, type Executor } from '../../database/database.js';
import type { Statement } from '../../database/statement.js';
import { columns } from '../../database/text-array.js';
import { isOvertaken, violatedConstraint } from '../../errors/database-problem.js';
import { Problem, type ValueError } from '../../errors/problem.js';
import { matchDeferredPatterns } from '../../fields/pattern-runner.js';
import type { Reference, UniqueValue } from '../../fields/schema.js';
import type { Author } from '../../http/caller.js';
import type { IdOrSlug } from '../../ids/id-or-slug.js';
import { formatId, newUuid } from '../../ids/type-id.js';
import type { EventType } from '../../rooms/room.js';
import { MediaIds } from '../media-ids.js';
import { type CompiledType, Schemas } from '../schemas.js';
import { TypeChanges } from '../type-changes.js';
import {
  type EntryForWrite,
  type EntryOfType,
  MISSING_REFERENCES,
  type StoredEntry,
  TAKEN_UNIQUES,
} from './entries.sql.js';
import type { EntryUpdate, Guard } from './entry-writes.sql.js';
import type { EntryStatus } from './entry.entity.js';
import { KnownWords, newWordColumns } from './known-words.js';
import { aroundFields } from './entry-presenter.js';
import { summaryOf, type VersionAction } from '../history/entry-version.js';
import {
  applyPatch,
  type Change,
  deriveChanges,
  documentColumns,
  publishedAt,
  referenceColumns,
  type Values,
} from './entry-writes.js';

/** An attempt fails if the entry or its type changes concurrently. This many failures in a row must have another cause. */
const MAX_TRIES = 50;

/** Changes of one entry that may wait, and for how long. */
const TURNS = { maxWaiting: 200, waitMs: 3_000 };

/** Maximum number of errors in a response. */
export const MAX_ERRORS = 1_000;

/** Maximum length of an entry's JSON after an update, in characters. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/** The events of a creation, by status. */
export const CREATED: Readonly<Record<EntryStatus, readonly EventType[]>> = {
  draft: ['entry.created'],
  published: ['entry.created', 'entry.published'],
};

/** The events of an update, of one that publishes, and of one that makes a published entry a draft. */
export const UPDATED: readonly EventType[] = ['entry.updated'];
export const PUBLISHED: readonly EventType[] = ['entry.updated', 'entry.published'];
const UNPUBLISHED: readonly EventType[] = ['entry.updated', 'entry.unpublished'];

/** Runs the statement of a write, alone or as a part of a transaction. Returns its rows, which are none if a concurrent change won. */
export type Commit = (write: (executor: Executor) => Promise<object[]>) => Promise<object[]>;

/** An entry as the path of a request names it. */
export interface EntryName {
  tenantId: string;
  typeName: IdOrSlug;
  entryId: string;
  /** Whose share of the connections reading it uses; the default is the tenant's. */
  share?: string;
}

/** A write in progress. */
export interface Write {
  tenantId: string;
  /** As the path names the type. */
  typeName: IdOrSlug;
  type: CompiledType;
  /** Whether the JSON is so large that work on it must run in steps, in turns with other tenants. */
  isHeavy: boolean;
}

/** The content of a write: the ID of the entry, the unique values to claim, and the values that were sent. */
interface Written {
  id: string;
  uniques: readonly UniqueValue[];
  values: Values;
}

/** The values of a patch, which were checked one by one. */
export interface CheckedPatch {
  set: Values;
  removed: readonly string[];
  errors: readonly ValueError[];
  /** The references of invalid values (`WholeResult`). */
  doubtful?: Values;
}

/** What becomes of an entry. */
interface Update {
  patch: CheckedPatch;
  status: EntryStatus;
  events: readonly EventType[];
  action: VersionAction;
  by: Author;
}

/** An update, and the entries that it must hold. */
export type GuardedUpdate = EntryUpdate & { guard: Guard | undefined };

/** What the writes of entries and of their drafts have in common: turns, attempts, checks, and the stored form of an update. */
@Injectable()
export class EntryChanges {
  private readonly turns = new KeyedQueue({ ...TURNS, refusal: tooManyChanges });

  constructor(
    private readonly database: Database,
    private readonly schemas: Schemas,
    private readonly mediaIds: MediaIds,
    private readonly changes: TypeChanges,
    private readonly knownWords: KnownWords,
  ) {}

  /**
   * Runs changes of one entry one after the other. Under load, changes that run side by side would make each other retry until the retries
   * take most of the tenant's share.
   */
  async inTurn<Result>(
    { tenantId, typeName, entryId }: EntryName,
    attempt: (type: CompiledType) => Promise<Result | undefined>,
  ): Promise<Result> {
    // Wait for a change of the type before the turn: it may take longer than a change waits for its turn.
    await this.unchangingType(tenantId, typeName);
    return this.turns.run(`${tenantId} ${entryId}`, () => this.retry(tenantId, typeName, attempt));
  }

  /** Retries while `attempt` returns `undefined`, which means that a concurrent change won. */
  async retry<Result>(
    tenantId: string,
    typeName: IdOrSlug,
    attempt: (type: CompiledType) => Promise<Result | undefined>,
  ): Promise<Result> {
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      const type = await this.unchangingType(tenantId, typeName);
      try {
        const result = await this.database.attempt(tenantId, () => attempt(type));
        if (result !== undefined) return result;
      } catch (error) {
        // Another write claimed the unique value after the lookup, and the next attempt reports it as taken. Or a transaction that writes several
        // entries holds a counter and wants the entry, while this write holds the entry and wants the counter.
        if (violatedConstraint(error) !== 'entry_uniques_pkey' && !isOvertaken(error)) throw error;
      }
    }
    throw tooManyChanges();
  }

  /** Returns the type after a change of it in progress. The change's lock would hold up the statement, which holds a connection. */
  async unchangingType(tenantId: string, name: IdOrSlug): Promise<CompiledType> {
    const type = await this.schemas.get(tenantId, name);
    if (!this.changes.isInProgress(tenantId, type.id)) return type;
    await this.changes.ended(tenantId, type.id);
    return this.schemas.get(tenantId, name);
  }

  /** Reads the entry and what else the statement reads with it. `type` may be stale. The returned one is as current as the entry. */
  async read<Row extends { typeVersion: number }>(
    { tenantId, typeName, entryId, share }: EntryName,
    type: CompiledType,
    statement: Statement<{ typeId: string; entryId: string }, Row>,
  ): Promise<{ before: Row; type: CompiledType }> {
    const [before] = await this.database.query(tenantId, statement, { typeId: type.id, entryId }, share);
    if (before?.typeVersion !== type.version) {
      const current = await this.schemas.fresh(tenantId, typeName);
      // The slug now leads to another type.
      if (current.id !== type.id) return this.read({ tenantId, typeName, entryId, share }, current, statement);
      type = current;
    }
    if (!before) throw Problem.notFound('entry');
    return { before, type };
  }

  /** Checks the values of a patch one by one, and replaces media IDs. */
  async checkPatch(
    tenantId: string,
    { schema }: CompiledType,
    fields: Values,
    isHeavy: boolean,
  ): Promise<CheckedPatch> {
    const named = await this.mediaIds.resolve(tenantId, { schema, values: fields }, isHeavy);
    const checked = await run({ tenantId, isHeavy }, schema.checkPatchSteps(named.values));
    if (checked.deferred) await matchDeferredPatterns(tenantId, checked.deferred, checked.set);
    return { ...checked, errors: [...checked.errors, ...named.errors] };
  }

  /**
   * Checks the entry as the patch leaves it, and passes its stored form to `store`, which runs the statement of the write. Returns undefined
   * if a concurrent change won. Throws a 422 that lists every wrong value.
   */
  async update(
    write: Write,
    before: EntryForWrite,
    { patch, status, events, action, by }: Update,
    store: (update: GuardedUpdate) => Promise<object[]>,
  ): Promise<EntryOfType | undefined> {
    const { type } = write;
    const { set, removed, errors, doubtful } = patch;
    const patching = applyPatch(type.schema, before.fields, { set, removed, isPublished: status === 'published' });
    const change = await run(write, patching);
    const known = new Set(errors.map(({ path }) => path));
    const wrong = [...errors, ...change.errors.filter(({ path }) => !known.has(path))];
    const written = { id: before.id, uniques: change.uniques.added, values: { ...set, ...doubtful } };
    const guard = await this.assertValid(write, wrong, written);
    return this.store(write, before, change, { status, events, action, by }, (row) => store({ ...row, guard }));
  }

  /** Passes the stored form of a change, whose values are valid, to `store`. Returns undefined if a concurrent change won. */
  async store(
    write: Write,
    before: EntryForWrite,
    change: Change,
    { status, events, action, by }: Omit<Update, 'patch'>,
    store: (update: EntryUpdate) => Promise<object[]>,
  ): Promise<EntryOfType | undefined> {
    const { type } = write;
    const derived = await run(write, deriveChanges(type, change, write.isHeavy));
    assertSize(before.fields, derived.fields);
    const at = new Date().toISOString();
    const row: EntryOfType = {
      ...before,
      typeId: type.id,
      fields: derived.fields,
      status,
      version: before.version + 1,
      updatedAt: at,
      publishedAt: publishedAt(status, at, before.publishedAt),
    };
    const newWords = this.knownWords.unknown(write.tenantId, type.id, derived.document?.vocabulary ?? []);
    const rows = await store({
      typeId: type.id,
      typeVersion: type.version,
      entryId: before.id,
      version: before.version,
      fields: row.fields,
      status,
      publishedAt: row.publishedAt,
      ...documentColumns(derived.document),
      ...newWordColumns(newWords),
      at,
      ...derived.removed,
      ...derived.added,
      ...statusChange(before.status, status),
      ...entryEvents(events, type.id, row),
      summary: summaryOf({ action, status, changed: derived.changed, by: by.keyName }),
      audit: auditOf(by, changeOfEntry(action, before, { status, changed: derived.changed })),
    });
    if (rows.length === 0) return undefined;
    this.knownWords.add(write.tenantId, type.id, newWords);
    return row;
  }

  /** For an attempt that failed because the type has changed: the next one uses the current type. */
  async stale(tenantId: string, typeName: IdOrSlug): Promise<undefined> {
    await this.schemas.fresh(tenantId, typeName);
    return undefined;
  }

  /**
   * Adds the errors that only the database can find (taken values, missing references). Throws a 422 if there are any errors. Returns the
   * entries that the write must hold, which are those that its references in fields with `on_delete` lead to.
   */
  async assertValid(write: Write, errors: ValueError[], written: Written): Promise<Guard | undefined> {
    errors.push(...(await this.takenUniques(write, written)));
    const { missing, guard } = await this.checkReferences(write, written.values);
    errors.push(...missing);
    if (errors.length === 0) return guard;
    // A stale schema must not reject values. The next attempt uses the current schema.
    const current = await this.schemas.fresh(write.tenantId, write.typeName);
    const isCurrent = current.id === write.type.id && current.version === write.type.version;
    if (isCurrent) throw Problem.invalid(errors.slice(0, MAX_ERRORS));
    return guard;
  }

  private async takenUniques(write: Write, { id, uniques }: Written): Promise<ValueError[]> {
    if (uniques.length === 0) return [];
    const arrays = await run(write, columns(uniques, { fields: 'field', values: 'key' } as const));
    const of = { typeId: write.type.id, entryId: id };
    const taken = await this.database.query(write.tenantId, TAKEN_UNIQUES, { ...of, ...arrays });
    return taken.flatMap(({ place }) => {
      const unique = uniques[place - 1];
      return unique ? takenError(unique) : [];
    });
  }

  private async checkReferences(
    write: Write,
    values: Values,
  ): Promise<{ missing: ValueError[]; guard: Guard | undefined }> {
    const { references, columns: sought, guard } = await run(write, referenceColumns(write.type, values));
    if (references.length === 0) return { missing: [], guard };
    const missing = await this.database.query(write.tenantId, MISSING_REFERENCES, sought);
    const errors = missing.slice(0, MAX_ERRORS).flatMap(({ place }) => {
      const reference = references[place];
      return reference ? missingError(reference) : [];
    });
    return { missing: errors, guard };
  }
}

/** The error of a unique value that another entry has. */
export function takenError({ path, name }: UniqueValue): ValueError {
  return { path, code: 'unique', message: `Another entry already has this value for ${name}.` };
}

/** The error of a reference to an entry that does not exist. */
export function missingError({ path, field }: Reference): ValueError {
  const { path: name, contentTypes } = field;
  const types = contentTypes.length === 1 ? 'the content type' : 'one of the content types';
  return {
    path,
    code: 'reference',
    message: `${name} must be the ID of an entry of ${types} ${contentTypes.join(', ')}.`,
  };
}

/** The events of an update by the status before and the one that was sent. */
export function eventsOf(before: EntryStatus, sent: EntryStatus | undefined): readonly EventType[] {
  if (sent === 'published') return PUBLISHED;
  return before === 'published' && sent === 'draft' ? UNPUBLISHED : UPDATED;
}

/** What the version of an update says that it did. */
export function actionOf(before: EntryStatus, sent: EntryStatus | undefined): VersionAction {
  if (sent === 'published') return 'published';
  return before === 'published' && sent === 'draft' ? 'unpublished' : 'updated';
}

function tooManyChanges(): Problem {
  return Problem.unavailable('The entry could not be written because of too many concurrent changes.');
}

/** Runs steps of a write, in turns with other tenants if it is heavy. */
export function run<Result>(
  { tenantId, isHeavy }: Pick<Write, 'tenantId' | 'isHeavy'>,
  steps: Steps<Result>,
): Promise<Result> | Result {
  return isHeavy ? heavyWork.run(tenantId, steps) : runNow(steps);
}

/** Runs the check once per schema. An attempt after a lost race reuses the result unless the schema has changed. */
export function oncePerSchema<Result>(
  check: (type: CompiledType) => Promise<Result>,
): (type: CompiledType) => Promise<Result> {
  let last: { type: CompiledType; result: Result } | undefined;
  return async (type) => {
    if (last?.type !== type) last = { type, result: await check(type) };
    return last.result;
  };
}

/** Rejects a change that makes an entry too large. An entry that already exceeds the limit may still shrink. */
export function assertSize(before: string, after: string): void {
  if (after.length <= MAX_CHARACTERS || after.length <= before.length) return;
  const message = `fields must have at most ${MAX_CHARACTERS} characters in total when written as JSON.`;
  throw Problem.invalid([{ path: 'fields', code: 'too_long', message }]);
}

/** The change of the counts when an entry of the status is added (1) or removed (-1). */
export function statusCount(status: EntryStatus, by: 1 | -1): { drafts: number; published: number } {
  return status === 'draft' ? { drafts: by, published: 0 } : { drafts: 0, published: by };
}

export function statusChange(before: EntryStatus, after: EntryStatus): { drafts: number; published: number } {
  if (before === after) return { drafts: 0, published: 0 };
  return after === 'published' ? { drafts: -1, published: 1 } : { drafts: 1, published: -1 };
}

/** An entry, as the audit log names it. */
export function entryResource(id: string): { type: string; id: string } {
  return { type: 'entry', id: formatId('ent', id) };
}

/** An update of an entry for the audit log. No field is named `status`. */
export function changeOfEntry(
  action: VersionAction,
  before: Pick<StoredEntry, 'id' | 'status'>,
  { status, changed }: { status: EntryStatus; changed: readonly string[] },
): AuditedChange {
  const changes = status === before.status ? changed : [...changed, 'status'];
  return { action, resource: entryResource(before.id), changes };
}

/** Events of these types, whose data is the entry. */
export function entryEvents(types: readonly EventType[], typeId: string, row: StoredEntry) {
  return { eventIds: types.map(newUuid), eventTypes: types, ...aroundFields(typeId, row) };
}
