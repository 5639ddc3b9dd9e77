import { Injectable } from '@nestjs/common';
import { auditOf } from '../../../audit/record-changes.js';
import { Database } from '../../../database/database.js';
import { Problem } from '../../../errors/problem.js';
import { codesOf } from '../../../fields/localized/locale-settings.js';
import type { Caller } from '../../../http/caller.js';
import { newUuid } from '../../../ids/type-id.js';
import { FIRST_ENTRY_ID } from '../../schema-changes/schema-change.js';
import { assertNotLimited } from '../locale-rights.js';
import { heldLocalesOf } from '../tenant-locales.js';
import { BEGIN_PURGE, GET_PURGE, type PurgeRow, RUNNING_PURGES } from './locale-purges.sql.js';

/** Deletes the values of removed locales for good. `LocalePurgeWorker` does so. */
@Injectable()
export class LocalePurges {
  constructor(private readonly database: Database) {}

  /** Throws a 404 if there is no such purge, or it finished more than a week ago. */
  async get({ tenantId }: Caller, id: string): Promise<PurgeRow> {
    const [row] = await this.database.query(tenantId, GET_PURGE, { id });
    if (!row) throw Problem.notFound('purge');
    return row;
  }

  /**
   * Begins a purge, or returns the one that is in progress. Throws a 403 if the caller is limited to locales, and a 409 if it is that of a locale of the tenant.
   */
  async begin(caller: Caller, code: string): Promise<PurgeRow> {
    const { tenantId } = caller;
    assertNotLimited(caller, 'cannot delete values for good');
    return this.database.transaction(tenantId, async (transaction) => {
      const settings = await heldLocalesOf(transaction, tenantId, { isChange: true });
      if (codesOf(settings).includes(code)) throw isListed(code);
      const running = await transaction.query(tenantId, RUNNING_PURGES, {});
      const same = running.find((purge) => purge.code === code);
      if (same) return same;
      const [id, at] = [newUuid(), new Date().toISOString()];
      const audit = auditOf(caller, {
        action: 'purged',
        resource: { type: 'locales', id: tenantId },
        changes: [code],
      });
      await transaction.query(tenantId, BEGIN_PURGE, { id, code, first: FIRST_ENTRY_ID, at, audit });
      return { id, code, entries: 0, drafts: 0, versions: 0, createdAt: at, finishedAt: null };
    });
  }
}

function isListed(code: string): Problem {
  return new Problem('conflict', `${code} is one of the locales. Remove it from the list first.`);
}
