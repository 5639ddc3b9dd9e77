import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { Problem } from '../../errors/problem.js';
import type { Caller } from '../../http/caller.js';
import type { IdOrSlug } from '../../ids/id-or-slug.js';
import {
  type EntryOfType,
  GET_ENTRY,
  GET_ENTRY_BY_SLUG,
  GET_ENTRY_BY_SLUG_WITH_VERSION,
  GET_ENTRY_WITH_TYPE,
  GET_ENTRY_WITH_VERSION,
  GET_LIVE_ENTRY,
} from './entries.sql.js';

/** Reads single entries. */
@Injectable()
export class EntriesService {
  constructor(private readonly database: Database) {}

  /** `withVersion`: with the version of its type, for a response that depends on it. */
  async get(
    caller: Caller,
    type: IdOrSlug,
    entryId: string,
    { withVersion }: { withVersion: boolean },
  ): Promise<EntryOfType> {
    const { tenantId, publishedOnly } = caller;
    const entry =
      type.id === undefined || caller.requireKey || withVersion
        ? await this.getWithType(caller, type, entryId, withVersion)
        : await this.getOfType(tenantId, type.id, entryId);
    if (!entry || (publishedOnly && entry.status !== 'published')) throw Problem.notFound('entry');
    return entry;
  }

  private async getOfType(tenantId: string, typeId: string, entryId: string): Promise<EntryOfType | undefined> {
    const [row] = await this.database.reads.query(tenantId, GET_ENTRY, { typeId, entryId });
    // Adding to the row costs less than copying it.
    if (!row?.isPrepared) return row && Object.assign(row, { typeId });
    const [live] = await this.database.reads.query(tenantId, GET_LIVE_ENTRY, { typeId, entryId });
    return live && { ...live, typeId };
  }

  /** Reads the type with the entry, because a cached type may since have got another slug, or no longer be public. */
  private async getWithType(
    caller: Caller,
    type: IdOrSlug,
    entryId: string,
    withVersion: boolean,
  ): Promise<EntryOfType | undefined> {
    const { tenantId, share, requireKey } = caller;
    const { id, slug } = type;
    const { reads } = this.database;
    const [row] = await (id === undefined
      ? reads.query(
          tenantId,
          withVersion ? GET_ENTRY_BY_SLUG_WITH_VERSION : GET_ENTRY_BY_SLUG,
          { slug, entryId },
          share,
        )
      : reads.query(
          tenantId,
          withVersion ? GET_ENTRY_WITH_VERSION : GET_ENTRY_WITH_TYPE,
          { typeId: id, entryId },
          share,
        ));
    if (!row?.isPublic) await requireKey?.();
    return row?.id == null ? undefined : (row as EntryOfType);
  }
}
