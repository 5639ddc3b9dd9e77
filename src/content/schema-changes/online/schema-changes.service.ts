import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import type { Transaction } from '../../../database/transaction.js';
import { Problem, type ProblemCode, type ValueError } from '../../../errors/problem.js';
import type { Caller } from '../../../http/caller.js';
import { newUuid } from '../../../ids/type-id.js';
import type { ContentType } from '../../content-type.entity.js';
import { FIRST_ENTRY_ID } from '../schema-change.js';
import type { ChangeRequest } from './online-changes.service.js';
import { BEGIN_SCHEMA_CHANGE, type ChangeRow, GET_CHANGE, SIZE_OF_TYPE } from './schema-changes.sql.js';

/** A type of at most this size is changed at once, in one transaction for which its writers wait. */
const SMALL = { entries: 1_000, bytes: 4 * 1024 * 1024 };

/** A request waits this long for its change, and looks this often whether it has finished. */
const WAIT_MS = 10 * 60_000;
const LOOK_MS = { least: 50, most: 500 };

/** Begins the changes of content types that a worker carries out, and tells how far they are. */
@Injectable()
export class SchemaChanges {
  constructor(private readonly database: Database) {}

  /** Throws a 404 if there is no such change, or it finished more than a week ago. */
  async get({ tenantId, types }: Caller, id: string): Promise<ChangeRow> {
    const [row] = await this.database.query(tenantId, GET_CHANGE, { id });
    if (!row || types?.has(row.typeId) === false) throw Problem.notFound('change');
    return row;
  }

  /** Whether the type is so large that its writers must not wait for a change of its entries. */
  async isLarge(transaction: Transaction, { tenantId, id: typeId }: ContentType): Promise<boolean> {
    const [size] = await transaction.query(tenantId, SIZE_OF_TYPE, { typeId, limit: SMALL.entries + 1 });
    return size !== undefined && (size.entries > SMALL.entries || size.bytes > SMALL.bytes);
  }

  /** Throws a 409 if the type has entries. The transaction has locked the type. */
  async assertEmpty(transaction: Transaction, { tenantId, id: typeId, slug }: ContentType): Promise<void> {
    const [size] = await transaction.query(tenantId, SIZE_OF_TYPE, { typeId, limit: 1 });
    if (size && size.entries > 0) throw new Problem('conflict', `The content type ${slug} has entries.`);
  }

  /** Begins a change. The transaction has locked the type. Returns the ID of the change. */
  async begin(transaction: Transaction, request: ChangeRequest): Promise<string> {
    const { tenantId, id: typeId } = request.before;
    const id = newUuid();
    const at = new Date().toISOString();
    await transaction.query(tenantId, BEGIN_SCHEMA_CHANGE, {
      id,
      typeId,
      request: JSON.stringify(request),
      first: FIRST_ENTRY_ID,
      at,
    });
    return id;
  }

  /**
   * Waits until the change is done. Returns false if it takes too long; it is carried on. Throws the problem because of which it failed, and
   * a 404 if the type was deleted.
   */
  async ended(tenantId: string, id: string): Promise<boolean> {
    const deadline = Date.now() + WAIT_MS;
    for (let lookMs = LOOK_MS.least; Date.now() < deadline; lookMs = Math.min(lookMs * 2, LOOK_MS.most)) {
      const [row] = await this.database.query(tenantId, GET_CHANGE, { id });
      if (!row) throw Problem.notFound('content type');
      if (row.state === 'failed') throw problemOf(row);
      if (row.state === 'done') return true;
      await sleep(lookMs);
    }
    return false;
  }
}

function problemOf({ problem }: ChangeRow): Problem {
  const { code, detail, errors } = JSON.parse(problem ?? '{}') as {
    code: ProblemCode;
    detail: string;
    errors?: ValueError[];
  };
  return new Problem(code, detail, errors);
}
