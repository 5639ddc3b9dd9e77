import { Injectable } from '@nestjs/common';
import { FairQueue } from '../admission/fair-queue.js';
import { KeyedMutex } from '../admission/keyed-mutex.js';
import { Database } from '../database/database.js';
import { Problem } from '../errors/problem.js';
import type { CheckedBody } from '../http/bodies/dto.pipe.js';
import type { Caller } from '../http/caller.js';
import type { ApplySchemaDto } from './schema-document.dto.js';
import { SchemaPlans } from './schema-plans.service.js';
import type { SchemaStep } from './schema-steps.js';
import { SchemaWriter, type StartedChange } from './schema-writer.js';

const AT_ONCE = 2;
const WAITING = {
  maxWaiting: 20,
  waitMs: 30_000,
  refusal: () => Problem.unavailable('Another schema is being applied. Try again when it has finished.', 5),
};

/** What was done, and the changes of large content types that go on. */
export interface AppliedSchema {
  steps: SchemaStep[];
  changes: StartedChange[];
}

/** Applies documents: one at a time for a tenant, and few at a time. */
@Injectable()
export class SchemaApplies {
  private readonly byTenant = new KeyedMutex(WAITING);
  private readonly queue = new FairQueue({ ...WAITING, concurrency: AT_ONCE });

  constructor(
    private readonly database: Database,
    private readonly plans: SchemaPlans,
    private readonly writer: SchemaWriter,
  ) {}

  /**
   * Makes a tenant's schema that of the document, in one transaction. The entries of large content types follow afterwards, as after a single
   * request: their changes begin in the same transaction. Throws a 409 if the tenant or the request is not that of the hash, if stored
   * values are in the way, or if a step is lossy and that is not allowed.
   */
  async apply(caller: Caller, body: CheckedBody<ApplySchemaDto>): Promise<AppliedSchema> {
    const { tenantId } = caller;
    return this.byTenant.run(tenantId, () => this.queue.run(tenantId, () => this.applyNow(caller, body)));
  }

  private async applyNow(caller: Caller, body: CheckedBody<ApplySchemaDto>): Promise<AppliedSchema> {
    const { steps, hash, difference } = await this.plans.plan(caller, body);
    if (hash !== body.dto.hash) throw moved();
    const keepsValues = body.dto.allow_lossy !== true;
    assertPossible(steps, keepsValues);
    if (steps.length === 0) return { steps, changes: [] };
    const together = { types: difference.typeIds, keepsValues };
    const changes = await this.database
      .together(caller, () => this.writer.write({ caller, sent: body, difference, together }))
      .catch((error: unknown) => {
        throw error instanceof Problem && error.code === 'precondition_failed' ? moved() : error;
      });
    return { steps, changes };
  }
}

function assertPossible(steps: readonly SchemaStep[], keepsValues: boolean): void {
  const blocked = steps.filter((step) => step.class === 'needs_data' || (keepsValues && step.class === 'lossy'));
  if (blocked.length === 0) return;
  const isLossy = blocked.every((step) => step.class === 'lossy');
  const names = blocked
    .slice(0, 10)
    .map(({ op, item, field }) => `${op} ${field === undefined ? '' : `${field} of `}${item}`);
  const detail = isLossy
    ? `Values would be lost: ${names.join(', ')}. Nothing was changed. Send allow_lossy=true to allow it.`
    : `Stored values are in the way: ${names.join(', ')}. Nothing was changed. The plan says which.`;
  throw new Problem('conflict', detail);
}

function moved(): Problem {
  return new Problem(
    'conflict',
    'The schema has changed since the plan, or the request is not the planned one. Plan again.',
  );
}
