import { Injectable } from '@nestjs/common';
import { KeyedMutex } from '../../../admission/keyed-mutex.js';
import { Database } from '../../../database/database.js';
import type { Executor } from '../../../database/transaction.js';
import type { Statement } from '../../../database/statements/statement.js';
import { isOvertaken, violatedConstraint } from '../../../errors/database-problem.js';
import { Problem } from '../../../errors/problem.js';
import type { IdOrSlug } from '../../../ids/id-or-slug.js';
import { type CompiledType, Schemas } from '../../schemas.js';
import { SchemaChangeQueue } from '../../schema-changes/schema-change-queue.js';

/** An attempt fails if the entry or its type changes concurrently. This many failures in a row must have another cause. */
const MAX_ATTEMPTS = 50;

/** Changes of one entry that may wait, and for how long. */
const TURNS = { maxWaiting: 200, waitMs: 3_000 };

/** An entry as the path of a request names it. */
export interface EntryName {
  tenantId: string;
  typeName: IdOrSlug;
  entryId: string;
  /** Whose share of the connections reading it uses; the default is the tenant's. */
  share?: string;
}

/**
 * The attempts of writes. Each write is a loop over them, which returns as soon as its statement has written something:
 *
 *     for await (const { before, type } of this.attempts.onEntry(name, GET_FOR_WRITE)) {
 *       …
 *       const written = await this.attempts.commit(this.database, tenantId, STATEMENT, parameters);
 *       if (written.length > 0) return …;
 *     }
 *     throw tooManyChanges();
 */
@Injectable()
export class Attempts {
  private readonly turns = new KeyedMutex({ ...TURNS, refusal: tooManyChanges });

  constructor(
    private readonly database: Database,
    private readonly schemas: Schemas,
    private readonly changes: SchemaChangeQueue,
  ) {}

  /** Attempts to add an entry to a type. */
  async *onType(tenantId: string, typeName: IdOrSlug): AsyncGenerator<CompiledType> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      // The last attempt may have failed because the type has changed.
      if (attempt > 1) await this.schemas.fresh(tenantId, typeName);
      yield this.unchangingType(tenantId, typeName);
    }
  }

  /**
   * Attempts to change an entry, each with what `statement` reads of it. Changes of one entry run one after the other: under load, changes that
   * run side by side would make each other repeat until this takes most of the tenant's share.
   */
  async *onEntry<Row extends { typeVersion: number }>(
    name: EntryName,
    statement: Statement<{ typeId: string; entryId: string }, Row>,
  ): AsyncGenerator<{ before: Row; type: CompiledType }> {
    const { tenantId, typeName, entryId } = name;
    // Wait for a change of the type before the turn: it may take longer than a change waits for its turn.
    await this.unchangingType(tenantId, typeName);
    const leave = await this.turns.enter(`${tenantId} ${entryId}`);
    try {
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
        yield this.read(name, await this.unchangingType(tenantId, typeName), statement);
      }
    } finally {
      leave();
    }
  }

  /** Runs the statement of an attempt. Returns no row if a concurrent change won: then nothing is written, and nothing is locked. */
  async commit<Parameters, Row>(
    executor: Executor,
    tenantId: string,
    statement: Statement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
  ): Promise<Row[]> {
    try {
      const rows = await this.database.attempt(tenantId, async () => {
        const found = await executor.query(tenantId, statement, parameters);
        return found.length > 0 ? found : undefined;
      });
      return rows ?? [];
    } catch (error) {
      if (hasLost(error)) return [];
      throw error;
    }
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
}

/** The constraints that a concurrent write may violate: it claimed the same unique value, or the same ID that was sent. */
const CLAIMS: ReadonlySet<string | undefined> = new Set([
  'entry_uniques_pkey',
  'entries_pkey',
  'entry_words_pkey',
  'entry_locale_words_pkey',
  'versions_pkey',
]);

/**
 * Whether a concurrent change won. Another write claimed a value after the look-up, and the next attempt reports it as taken. Or a
 * transaction that writes several entries holds a counter and wants the entry, while this write holds the entry and wants the counter.
 */
export function hasLost(error: unknown): boolean {
  return CLAIMS.has(violatedConstraint(error)) || isOvertaken(error);
}

export function tooManyChanges(): Problem {
  return Problem.unavailable('The entry could not be written because of too many concurrent changes.');
}
