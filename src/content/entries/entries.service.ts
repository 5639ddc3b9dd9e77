import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import { Database } from '../../database/database.js';
import { violatedConstraint } from '../../errors/database-problem.js';
import { Problem, type ValueError } from '../../errors/problem.js';
import { EventRecorder } from '../../events/event-recorder.js';
import type { EventType } from '../../events/event-types.js';
import { type IndexRow, nameOfRow } from '../../fields/compiled-field.js';
import type { UniqueValue } from '../../fields/schema.js';
import type { Checked } from '../../http/checked-body.js';
import { searchVector } from '../../search/search-vector.js';
import { partitionOf } from '../../search/words.js';
import { newUuid, parseId, timeOf } from '../../ids/type-id.js';
import { CREATE_ENTRY, DELETE_ENTRY, GET_ENTRY, GET_FOR_WRITE, UPDATE_ENTRY } from './entries.sql.js';
import { MISSING_REFERENCES, TAKEN_UNIQUES } from './entries.sql.js';
import type { CreateEntryDto, UpdateEntryDto } from './entries.dto.js';
import type { EntryStatus } from './entry.entity.js';
import { type EntryRow, presentEntry } from './entry-presenter.js';
import { type EntryPrecondition, holds } from './entry-tag.js';
import { MediaIds } from '../media-ids.js';
import { type CompiledType, Schemas } from '../schemas.js';

/** An entry as stored, with the version that its tag is made of. */
export interface StoredEntry extends EntryRow {
  version: number;
}

interface EntryForWrite extends StoredEntry {
  type_version: number;
}

/** Every try but the last met a concurrent change of the same entry or its type; so many in a row mean that something else is wrong. */
const MAX_TRIES = 50;

/** Reads and writes single entries. A write is one statement that commits the change, its index rows and its events together. */
@Injectable()
export class EntriesService {
  constructor(
    private readonly database: Database,
    private readonly schemas: Schemas,
    private readonly events: EventRecorder,
    private readonly mediaIds: MediaIds,
  ) {}

  async get({ tenantId, publishedOnly }: Caller, typeId: string, entryId: string): Promise<StoredEntry> {
    const [row] = await this.database.query<StoredEntry>(tenantId, GET_ENTRY, [typeId, entryId]);
    if (!row || (publishedOnly && row.status !== 'published')) throw Problem.notFound('entry');
    return row;
  }

  /** Throws a 422 with every wrong value, also of uniqueness and references. */
  async create({ tenantId }: Caller, typeId: string, body: Checked<CreateEntryDto>): Promise<StoredEntry> {
    const { fields, status = 'draft' } = body.dto;
    return this.retry(tenantId, async () => {
      const type = await this.schemas.get(tenantId, typeId);
      const id = newUuid();
      // Without `fields` the body's own error says all there is to say.
      const named = await this.mediaIds.resolve(tenantId, type.schema, fields);
      const { values, errors } = fields ? type.schema.checkWhole(named.values) : { values: {}, errors: [] };
      const uniques = type.schema.uniques(values);
      const wrong = [...body.errors, ...errors, ...named.errors];
      await this.assertValid(tenantId, typeId, type, wrong, { id, uniques, values });

      const at = timeOf(id).toISOString();
      const row: StoredEntry = {
        id,
        fields: JSON.stringify(values),
        status,
        version: 1,
        created_at: at,
        updated_at: at,
      };
      const rows = type.schema.indexRows(values);
      const events: EventType[] = status === 'published' ? ['entry.created', 'entry.published'] : ['entry.created'];
      const written = await this.database.query(tenantId, CREATE_ENTRY, [
        ...[typeId, type.version, id, row.fields, status, entryWords(typeId, type, values), at],
        ...indexColumns(rows),
        ...columns(uniques),
        ...statusCount(status, 1),
        ...[events.map(newUuid), events, presentEntry(typeId, row)],
      ]);
      return written.length > 0 ? row : this.stale(tenantId, typeId);
    });
  }

  /** Only what is sent changes, also when others change the same entry meanwhile. 412 when the precondition doesn't hold. */
  async update(
    { tenantId }: Caller,
    typeId: string,
    entryId: string,
    body: Checked<UpdateEntryDto>,
    precondition: EntryPrecondition,
  ): Promise<StoredEntry> {
    return this.retry(tenantId, async () => {
      const { before, type } = await this.readForWrite(tenantId, typeId, entryId, precondition);
      const old = JSON.parse(before.fields) as Record<string, unknown>;
      const { fields = {}, status = before.status } = body.dto;
      const named = await this.mediaIds.resolve(tenantId, type.schema, fields);
      const { set, removed, errors } = type.schema.checkPatch(named.values);
      errors.push(...named.errors);
      const values = { ...old, ...set };
      for (const name of removed) delete values[name];
      if (status === 'published') {
        const known = new Set(errors.map(({ path }) => path));
        errors.push(...type.schema.checkStored(values).filter(({ path }) => !known.has(path)));
      }
      const uniques = difference(type.schema.uniques(old), type.schema.uniques(values));
      await this.assertValid(tenantId, typeId, type, [...body.errors, ...errors], {
        id: entryId,
        uniques: uniques.added,
        values: set,
      });

      const row: StoredEntry = {
        ...before,
        fields: JSON.stringify(values),
        status,
        version: before.version + 1,
        updated_at: new Date().toISOString(),
      };
      const rows = difference(type.schema.indexRows(old), type.schema.indexRows(values));
      const reworded = [...Object.keys(set), ...removed].some((name) => type.schema.field(name)?.searchable);
      const events: EventType[] =
        body.dto.status === 'published' ? ['entry.updated', 'entry.published'] : ['entry.updated'];
      const written = await this.database.query(tenantId, UPDATE_ENTRY, [
        ...[typeId, type.version, entryId, before.version, row.fields, status, row.updated_at],
        reworded ? entryWords(typeId, type, values) : null,
        ...indexColumns(rows.removed),
        ...indexColumns(rows.added),
        ...columns(uniques.removed),
        ...columns(uniques.added),
        ...(status === before.status ? [0, 0] : status === 'published' ? [-1, 1] : [1, -1]),
        ...[events.map(newUuid), events, presentEntry(typeId, row)],
      ]);
      return written.length > 0 ? row : undefined;
    });
  }

  async delete({ tenantId }: Caller, typeId: string, entryId: string, precondition: EntryPrecondition): Promise<void> {
    await this.retry(tenantId, async () => {
      const { before, type } = await this.readForWrite(tenantId, typeId, entryId, precondition);
      const old = JSON.parse(before.fields) as Record<string, unknown>;
      const events: EventType[] = ['entry.deleted'];
      const written = await this.database.query(tenantId, DELETE_ENTRY, [
        ...[typeId, type.version, entryId, before.version],
        ...columns(type.schema.uniques(old)),
        ...statusCount(before.status, -1),
        ...[events.map(newUuid), events, presentEntry(typeId, before), new Date().toISOString()],
      ]);
      return written.length > 0 ? true : undefined;
    });
  }

  /** Until an attempt is not overtaken by a concurrent change, which it tells by `undefined`. */
  private async retry<Result>(tenantId: string, attempt: () => Promise<Result | undefined>): Promise<Result> {
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      try {
        const result = await attempt();
        if (result !== undefined) {
          this.events.committed(tenantId);
          return result;
        }
      } catch (error) {
        // Somebody took a unique value after it was looked up: the next try finds it taken.
        if (violatedConstraint(error) !== 'entry_uniques_pkey') throw error;
      }
    }
    throw new Problem('unavailable', 'Too many changes at once.', undefined, { 'Retry-After': '1' });
  }

  private async readForWrite(
    tenantId: string,
    typeId: string,
    entryId: string,
    precondition: EntryPrecondition,
  ): Promise<{ before: EntryForWrite; type: CompiledType }> {
    const [before] = await this.database.query<EntryForWrite>(tenantId, GET_FOR_WRITE, [typeId, entryId]);
    if (!before) throw Problem.notFound('entry');
    if (!holds(precondition, before.version)) {
      throw new Problem('precondition_failed', 'The entry has changed since the version that If-Match names.');
    }
    let type = await this.schemas.get(tenantId, typeId);
    if (type.version !== before.type_version) type = await this.schemas.fresh(tenantId, typeId);
    return { before, type };
  }

  private async stale(tenantId: string, typeId: string): Promise<undefined> {
    await this.schemas.fresh(tenantId, typeId);
    return undefined;
  }

  /** Adds what only the database knows (taken values, missing entries), then throws if there is anything wrong. */
  private async assertValid(
    tenantId: string,
    typeId: string,
    type: CompiledType,
    errors: ValueError[],
    written: { id: string; uniques: readonly UniqueValue[]; values: Record<string, unknown> },
  ): Promise<void> {
    errors.push(...(await this.takenUniques(tenantId, typeId, written.id, written.uniques)));
    errors.push(...(await this.missingReferences(tenantId, type, written.values)));
    if (errors.length === 0) return;
    // A schema that is not the current one must not refuse anything: the attempt that follows has the new one.
    const current = await this.schemas.fresh(tenantId, typeId);
    if (current.version === type.version) throw Problem.invalid(errors);
  }

  private async takenUniques(
    tenantId: string,
    typeId: string,
    entryId: string,
    uniques: readonly UniqueValue[],
  ): Promise<ValueError[]> {
    if (uniques.length === 0) return [];
    const values = [typeId, ...columns(uniques), entryId];
    const taken = await this.database.query<{ place: number }>(tenantId, TAKEN_UNIQUES, values);
    return taken.flatMap(({ place }) => {
      const unique = uniques[place - 1];
      if (!unique) return [];
      return { path: unique.path, code: 'unique', message: `Another entry has this value of ${unique.field}.` };
    });
  }

  private async missingReferences(
    tenantId: string,
    { schema, targets }: CompiledType,
    values: Record<string, unknown>,
  ): Promise<ValueError[]> {
    const references = schema.references(values);
    if (references.length === 0) return [];
    const missing = await this.database.query<{ place: number }>(tenantId, MISSING_REFERENCES, [
      references.map(({ name }) => targets[name] ?? null),
      references.map(({ id }) => parseId('ent', id) ?? null),
    ]);
    return missing.flatMap(({ place }) => {
      const reference = references[place - 1];
      if (!reference) return [];
      const message = `${reference.name} must be the id of an entry of the content type ${reference.contentType}.`;
      return { path: reference.path, code: 'reference', message };
    });
  }
}

function entryWords(typeId: string, { schema }: CompiledType, values: Record<string, unknown>): string {
  return searchVector(partitionOf(typeId), schema.searchText(values));
}

/** Rows as arrays, which is how they travel into a statement. */
function columns(rows: readonly UniqueValue[]): [fields: string[], keys: string[]] {
  return [rows.map(({ field }) => field), rows.map(({ key }) => key)];
}

function indexColumns(rows: readonly IndexRow[]): [fields: string[], keys: string[], marks: string[]] {
  return [rows.map(({ field }) => field), rows.map(({ key }) => key), rows.map(({ mark }) => mark)];
}

function statusCount(status: EntryStatus, by: 1 | -1): [drafts: number, published: number] {
  return status === 'draft' ? [by, 0] : [0, by];
}

/** What is only in one of two lists of rows. */
function difference<Row extends IndexRow | UniqueValue>(
  before: readonly Row[],
  after: readonly Row[],
): { removed: Row[]; added: Row[] } {
  const had = new Set(before.map(nameOfRow));
  const has = new Set(after.map(nameOfRow));
  return {
    removed: before.filter((row) => !has.has(nameOfRow(row))),
    added: after.filter((row) => !had.has(nameOfRow(row))),
  };
}
