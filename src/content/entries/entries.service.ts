import { Injectable } from '@nestjs/common';
import type { Caller } from '../../http/caller.js';
import { heavyWork, isHeavy } from '../../admission/heavy-work.js';
import { KeyedQueue } from '../../admission/keyed-queue.js';
import { runNow } from '../../admission/steps.js';
import { Database } from '../../database/database.js';
import { columns } from '../../database/text-array.js';
import { violatedConstraint } from '../../errors/database-problem.js';
import { Problem, type ValueError } from '../../errors/problem.js';
import type { EventParameters } from '../../events/event-recorder.js';
import type { EventType } from '../../rooms/room.js';
import { matchDeferredPatterns } from '../../fields/pattern-runner.js';
import type { UniqueValue, WholeResult } from '../../fields/schema.js';
import type { Checked } from '../../http/dto.pipe.js';
import type { IdOrSlug } from '../../ids/id-or-slug.js';
import { newUuid, timeOf } from '../../ids/type-id.js';
import {
  CREATE_ENTRY,
  DELETE_ENTRY,
  type EntryForWrite,
  type EntryOfType,
  GET_ENTRY,
  GET_ENTRY_BY_SLUG,
  GET_ENTRY_WITH_TYPE,
  GET_FOR_WRITE,
  MISSING_REFERENCES,
  type StoredEntry,
  TAKEN_UNIQUES,
  UPDATE_ENTRY,
} from './entries.sql.js';
import type { CreateEntryDto, UpdateEntryDto } from './entries.dto.js';
import type { EntryStatus } from './entry.entity.js';
import { presentEntry } from './entry-presenter.js';
import { KnownWords } from './known-words.js';
import { type EntryPrecondition, isPermitted } from './entry-etag.js';
import {
  applyPatch,
  deriveAll,
  deriveChanges,
  documentColumns,
  heldUniques,
  referenceColumns,
  type Values,
} from './entry-writes.js';
import { MediaIds } from '../media-ids.js';
import { type CompiledType, Schemas } from '../schemas.js';
import { TypeChanges } from '../type-changes.js';

/** An attempt fails if the entry or its type changes concurrently. This many failures in a row must have another cause. */
const MAX_TRIES = 50;

/** Changes of one entry that may wait, and for how long. */
const TURNS = { maxWaiting: 200, waitMs: 3_000 };

/** Maximum number of errors in a response. */
const MAX_ERRORS = 1_000;

/** Maximum length of an entry's JSON after an update, in characters. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/** A write in progress. */
interface Write {
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

/** Reads and writes single entries. A write is one statement that commits the change, its index rows and its events together. */
@Injectable()
export class EntriesService {
  private readonly turns = new KeyedQueue({ ...TURNS, refusal: tooManyChanges });

  constructor(
    private readonly database: Database,
    private readonly schemas: Schemas,
    private readonly mediaIds: MediaIds,
    private readonly changes: TypeChanges,
    private readonly knownWords: KnownWords,
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
    const [row] = await this.database.query(tenantId, GET_ENTRY, { typeId, entryId });
    return row && Object.assign(row, { typeId });
  }

  /** Reads the type with the entry, because a cached type may since have got another slug, or no longer be public. */
  private async getWithType(caller: Caller, type: IdOrSlug, entryId: string): Promise<EntryOfType | undefined> {
    const { tenantId, share, requireKey } = caller;
    const { id, slug } = type;
    const [row] = await (id === undefined
      ? this.database.query(tenantId, GET_ENTRY_BY_SLUG, { slug, entryId }, share)
      : this.database.query(tenantId, GET_ENTRY_WITH_TYPE, { typeId: id, entryId }, share));
    if (!row?.isPublic) await requireKey?.();
    return row?.id == null ? undefined : (row as EntryOfType);
  }

  /** Throws a 422 that lists every wrong value, including taken unique values and missing references. */
  async create({ tenantId }: Caller, typeName: IdOrSlug, body: Checked<CreateEntryDto>): Promise<EntryOfType> {
    const { fields, status = 'draft' } = body.dto;
    const check = oncePerSchema(async ({ schema }): Promise<Pick<WholeResult, 'values' | 'errors'>> => {
      // If `fields` is missing, the DTO has already reported it.
      if (!fields) return { values: {}, errors: body.errors };
      const named = await this.mediaIds.resolve(tenantId, schema, fields);
      const steps = schema.checkWholeSteps(named.values);
      const checked = body.isHeavy ? await heavyWork.run(tenantId, steps) : runNow(steps);
      if (checked.deferred) await matchDeferredPatterns(tenantId, checked.deferred, checked.values);
      return { values: checked.values, errors: [...body.errors, ...checked.errors, ...named.errors] };
    });
    return this.retry(tenantId, typeName, async (type) => {
      const typeId = type.id;
      const id = newUuid();
      const { values, errors } = await check(type);
      const finding = type.schema.uniquesSteps(values);
      const uniques = body.isHeavy ? await heavyWork.run(tenantId, finding) : runNow(finding);
      const write = { tenantId, typeName, type, isHeavy: body.isHeavy };
      await this.assertValid(write, [...errors], { id, uniques, values });

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
      };
      const events: EventType[] = status === 'published' ? ['entry.created', 'entry.published'] : ['entry.created'];
      const newWords = this.knownWords.unknown(tenantId, typeId, derived.document.vocabulary);
      const written = await this.database.query(tenantId, CREATE_ENTRY, {
        typeId,
        typeVersion: type.version,
        entryId: id,
        fields: row.fields,
        status,
        ...documentColumns(derived.document),
        newWords,
        at,
        ...derived.added,
        ...statusCount(status, 1),
        ...entryEvents(events, typeId, row),
      });
      if (written.length === 0) return this.stale(tenantId, typeName);
      this.knownWords.add(tenantId, typeId, newWords);
      return row;
    });
  }

  /** Changes only the values that were sent, even if the entry changes concurrently. Throws a 412 if the precondition fails. */
  async update(
    { tenantId }: Caller,
    typeName: IdOrSlug,
    entryId: string,
    body: Checked<UpdateEntryDto>,
    precondition: EntryPrecondition,
  ): Promise<EntryOfType> {
    const { fields = {}, status: newStatus } = body.dto;
    const check = oncePerSchema(async ({ schema }) => {
      const named = await this.mediaIds.resolve(tenantId, schema, fields);
      const steps = schema.checkPatchSteps(named.values);
      const checked = body.isHeavy ? await heavyWork.run(tenantId, steps) : runNow(steps);
      if (checked.deferred) await matchDeferredPatterns(tenantId, checked.deferred, checked.set);
      return { ...checked, errors: [...checked.errors, ...named.errors] };
    });
    return this.inTurn(tenantId, typeName, entryId, async (current) => {
      const { before, type } = await this.readForWrite({ tenantId, typeName, entryId }, current, precondition);
      const typeId = type.id;
      const { set, removed, errors } = await check(type);
      const status = newStatus ?? before.status;
      const write = { tenantId, typeName, type, isHeavy: body.isHeavy || isHeavy(before.fields.length) };
      const patching = applyPatch(type.schema, before.fields, { set, removed, isPublished: status === 'published' });
      const patch = write.isHeavy ? await heavyWork.run(tenantId, patching) : runNow(patching);
      const known = new Set(errors.map(({ path }) => path));
      const wrong = [...body.errors, ...errors, ...patch.errors.filter(({ path }) => !known.has(path))];
      const written = { id: entryId, uniques: patch.uniques.added, values: set };
      await this.assertValid(write, wrong, written);

      const steps = deriveChanges(type, patch, write.isHeavy);
      const derived = write.isHeavy ? await heavyWork.run(tenantId, steps) : runNow(steps);
      assertSize(before.fields, derived.fields);
      const at = new Date().toISOString();
      const row: EntryOfType = {
        ...before,
        typeId,
        fields: derived.fields,
        status,
        version: before.version + 1,
        updatedAt: at,
      };
      const events: EventType[] = newStatus === 'published' ? ['entry.updated', 'entry.published'] : ['entry.updated'];
      const newWords = this.knownWords.unknown(tenantId, typeId, derived.document?.vocabulary ?? []);
      const rows = await this.database.query(tenantId, UPDATE_ENTRY, {
        typeId,
        typeVersion: type.version,
        entryId,
        version: before.version,
        fields: row.fields,
        status,
        ...documentColumns(derived.document),
        newWords,
        at,
        ...derived.removed,
        ...derived.added,
        ...statusChange(before.status, status),
        ...entryEvents(events, typeId, row),
      });
      if (rows.length === 0) return undefined;
      this.knownWords.add(tenantId, typeId, newWords);
      return row;
    });
  }

  async delete(
    { tenantId }: Caller,
    typeName: IdOrSlug,
    entryId: string,
    precondition: EntryPrecondition,
  ): Promise<void> {
    await this.inTurn(tenantId, typeName, entryId, async (current) => {
      const { before, type } = await this.readForWrite({ tenantId, typeName, entryId }, current, precondition);
      const typeId = type.id;
      const steps = heldUniques(type.schema, before.fields);
      const uniques = isHeavy(before.fields.length) ? await heavyWork.run(tenantId, steps) : runNow(steps);
      const written = await this.database.query(tenantId, DELETE_ENTRY, {
        typeId,
        typeVersion: type.version,
        entryId,
        version: before.version,
        at: new Date().toISOString(),
        ...uniques,
        ...statusCount(before.status, -1),
        ...entryEvents(['entry.deleted'], typeId, before),
      });
      return written.length > 0 ? true : undefined;
    });
  }

  /**
   * Runs changes of one entry one after the other. Under load, changes that run side by side would make each other retry until the retries
   * take most of the tenant's share.
   */
  private async inTurn<Result>(
    tenantId: string,
    typeName: IdOrSlug,
    entryId: string,
    attempt: (type: CompiledType) => Promise<Result | undefined>,
  ): Promise<Result> {
    // Wait for a change of the type before the turn: it may take longer than a change waits for its turn.
    await this.unchangingType(tenantId, typeName);
    return this.turns.run(`${tenantId} ${entryId}`, () => this.retry(tenantId, typeName, attempt));
  }

  /** Retries while `attempt` returns `undefined`, which means that a concurrent change won. */
  private async retry<Result>(
    tenantId: string,
    typeName: IdOrSlug,
    attempt: (type: CompiledType) => Promise<Result | undefined>,
  ): Promise<Result> {
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      const type = await this.unchangingType(tenantId, typeName);
      try {
        const result = await attempt(type);
        if (result !== undefined) return result;
      } catch (error) {
        // Another write claimed the unique value after the lookup. The next attempt reports it as taken.
        if (violatedConstraint(error) !== 'entry_uniques_pkey') throw error;
      }
    }
    throw tooManyChanges();
  }

  /** Returns the type after a change of it in progress. The change's lock would hold up the statement, which holds a connection. */
  private async unchangingType(tenantId: string, name: IdOrSlug): Promise<CompiledType> {
    const type = await this.schemas.get(tenantId, name);
    if (!this.changes.isInProgress(tenantId, type.id)) return type;
    await this.changes.ended(tenantId, type.id);
    return this.schemas.get(tenantId, name);
  }

  /** `type` may be stale. The returned one is as current as the entry. */
  private async readForWrite(
    { tenantId, typeName, entryId }: { tenantId: string; typeName: IdOrSlug; entryId: string },
    type: CompiledType,
    precondition: EntryPrecondition,
  ): Promise<{ before: EntryForWrite; type: CompiledType }> {
    const [before] = await this.database.query(tenantId, GET_FOR_WRITE, { typeId: type.id, entryId });
    if (before?.typeVersion !== type.version) {
      const current = await this.schemas.fresh(tenantId, typeName);
      // The slug now leads to another type.
      if (current.id !== type.id) return this.readForWrite({ tenantId, typeName, entryId }, current, precondition);
      type = current;
    }
    if (!before) throw Problem.notFound('entry');
    if (!isPermitted(precondition, before.version)) {
      throw new Problem('precondition_failed', 'The entry has changed since the version that If-Match names.');
    }
    return { before, type };
  }

  private async stale(tenantId: string, typeName: IdOrSlug): Promise<undefined> {
    await this.schemas.fresh(tenantId, typeName);
    return undefined;
  }

  /** Adds the errors that only the database can find (taken values, missing references). Throws a 422 if there are any errors. */
  private async assertValid(write: Write, errors: ValueError[], written: Written): Promise<void> {
    errors.push(...(await this.takenUniques(write, written)));
    errors.push(...(await this.missingReferences(write, written.values)));
    if (errors.length === 0) return;
    // A stale schema must not reject values. The next attempt uses the current schema.
    const current = await this.schemas.fresh(write.tenantId, write.typeName);
    const isCurrent = current.id === write.type.id && current.version === write.type.version;
    if (isCurrent) throw Problem.invalid(errors.slice(0, MAX_ERRORS));
  }

  private async takenUniques({ tenantId, type, isHeavy }: Write, { id, uniques }: Written): Promise<ValueError[]> {
    if (uniques.length === 0) return [];
    const steps = columns(uniques, { fields: 'field', values: 'key' } as const);
    const arrays = isHeavy ? await heavyWork.run(tenantId, steps) : runNow(steps);
    const taken = await this.database.query(tenantId, TAKEN_UNIQUES, { typeId: type.id, entryId: id, ...arrays });
    return taken.flatMap(({ place }) => {
      const unique = uniques[place - 1];
      if (!unique) return [];
      return {
        path: unique.path,
        code: 'unique',
        message: `Another entry already has this value for ${unique.field}.`,
      };
    });
  }

  private async missingReferences({ tenantId, type, isHeavy }: Write, values: Values): Promise<ValueError[]> {
    const steps = referenceColumns(type, values);
    const { references, columns: sought } = isHeavy ? await heavyWork.run(tenantId, steps) : runNow(steps);
    if (references.length === 0) return [];
    const missing = await this.database.query(tenantId, MISSING_REFERENCES, sought);
    return missing.slice(0, MAX_ERRORS).flatMap(({ place }) => {
      const reference = references[place];
      if (!reference) return [];
      const { name, contentTypes } = reference;
      const types = contentTypes.length === 1 ? 'the content type' : 'one of the content types';
      const message = `${name} must be the ID of an entry of ${types} ${contentTypes.join(', ')}.`;
      return { path: reference.path, code: 'reference', message };
    });
  }
}

function tooManyChanges(): Problem {
  return Problem.unavailable('The entry could not be written because of too many concurrent changes.');
}

/** Runs the check once per schema. An attempt after a lost race reuses the result unless the schema has changed. */
function oncePerSchema<Result>(
  check: (type: CompiledType) => Promise<Result>,
): (type: CompiledType) => Promise<Result> {
  let last: { type: CompiledType; result: Result } | undefined;
  return async (type) => {
    if (last?.type !== type) last = { type, result: await check(type) };
    return last.result;
  };
}

/** Rejects a change that makes an entry too large. An entry that already exceeds the limit may still shrink. */
function assertSize(before: string, after: string): void {
  if (after.length <= MAX_CHARACTERS || after.length <= before.length) return;
  const message = `fields must have at most ${MAX_CHARACTERS} characters in total when written as JSON.`;
  throw Problem.invalid([{ path: 'fields', code: 'too_long', message }]);
}

/** The change of the counts when an entry of the status is added (1) or removed (-1). */
function statusCount(status: EntryStatus, by: 1 | -1): { drafts: number; published: number } {
  return status === 'draft' ? { drafts: by, published: 0 } : { drafts: 0, published: by };
}

function statusChange(before: EntryStatus, after: EntryStatus): { drafts: number; published: number } {
  if (before === after) return { drafts: 0, published: 0 };
  return after === 'published' ? { drafts: -1, published: 1 } : { drafts: 1, published: -1 };
}

function entryEvents(types: readonly EventType[], typeId: string, row: StoredEntry): Omit<EventParameters, 'at'> {
  return { eventIds: types.map(newUuid), eventTypes: types, eventData: presentEntry(typeId, row) };
}
