import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { Problem } from '../../errors/problem.js';
import type { Caller } from '../../http/caller.js';
import {
  HandlesScheduledJobs,
  type ScheduledJob,
  type ScheduledJobHandler,
  ScheduledJobs,
} from '../../scheduled-jobs/scheduled-jobs.js';
import { ContentTypesService } from '../content-types.service.js';
import { FOLLOW_LOCALES } from './locale-jobs.js';
import { TYPES_BEHIND } from './locales.sql.js';

/** An attempt begins at most this many changes, and looks again after a pause. */
const MOST = 20;
const LOOK_MS = 2_000;

/**
 * Changes the content types whose entries are stored in earlier locales. The request that changes the locales does so at once. The scheduled job that
 * is put in the same commit does what the request has left, if its process dies or a change takes long.
 */
@Injectable()
@HandlesScheduledJobs([FOLLOW_LOCALES])
export class TypesBehind implements ScheduledJobHandler {
  constructor(
    private readonly database: Database,
    private readonly types: ContentTypesService,
    private readonly scheduledJobs: ScheduledJobs,
  ) {}

  /**
   * Waits for the changes, except those of types that are `changing` to the locales already (UUIDs). The locales are stored by now, so that a type
   * that cannot follow at this moment is left to the job.
   */
  async follow(caller: Caller, changing: ReadonlySet<string> = new Set()): Promise<void> {
    for (const { id } of await this.database.query(caller.tenantId, TYPES_BEHIND, {})) {
      if (!changing.has(id)) await unlessRefused(() => this.types.followLocales(caller, id));
    }
  }

  async carryOut(tenantId: string, item: ScheduledJob): Promise<void> {
    const behind = await this.database.query(tenantId, TYPES_BEHIND, {});
    for (const { id } of behind.filter(({ isWaiting }) => !isWaiting).slice(0, MOST))
      await unlessRefused(() => this.types.beginToFollowLocales(serviceOf(tenantId), id));
    const next = behind.length > 0 ? new Date(Date.now() + LOOK_MS).toISOString() : undefined;
    await this.scheduledJobs.settle(this.database, tenantId, item, next);
  }
}

/** A type that was deleted, or that another change has reached before, is looked at again later. */
async function unlessRefused(follow: () => Promise<void>): Promise<void> {
  try {
    await follow();
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
  }
}

/** Who changes the types for the service. */
function serviceOf(tenantId: string): Caller {
  const scopes = new Set(['content:write']);
  return { tenantId, name: 'locales', credentialId: '', scopes, publishedOnly: false, share: tenantId };
}
