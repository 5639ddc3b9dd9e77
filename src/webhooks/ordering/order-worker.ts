import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import {
  type ScheduledJobHandler,
  type ScheduledJob,
  ScheduledJobs,
  HandlesScheduledJobs,
} from '../../scheduled-jobs/scheduled-jobs.js';
import { Queues } from '../../queues/queues.js';
import { lockChains, promote } from './delivery-chains.js';
import { ORDER } from '../job-kinds.js';
import { DISSOLVE, IS_ORDERED, NEXT_CHAINS } from './ordered.sql.js';

const EVERY_MS = 60_000;
const PAGE = 2_000;
/** Maximum time of one round. The next round begins at the first chain again. */
const ROUND_MS = 10_000;

/**
 * Looks at the chains of an ordered webhook once a minute, and after changes of the webhook. Usually the end of a delivery makes the next one
 * due. This finds the others: after a chain's first delivery was canceled or sent again by hand, or the webhook is no longer ordered.
 */
@Injectable()
@HandlesScheduledJobs([ORDER])
export class OrderWorker implements ScheduledJobHandler {
  constructor(
    private readonly database: Database,
    private readonly scheduledJobs: ScheduledJobs,
    private readonly queues: Queues,
  ) {}

  async carryOut(tenantId: string, item: ScheduledJob): Promise<void> {
    const webhookId = item.id;
    const [webhook] = await this.database.query(tenantId, IS_ORDERED, { webhookId });
    if (webhook?.isOrdered) await this.promoteAll(tenantId, webhookId);
    else if (webhook) await this.dissolveAll(tenantId, webhookId);
    const next = webhook?.isOrdered ? new Date(Date.now() + EVERY_MS).toISOString() : undefined;
    await this.scheduledJobs.settle(this.database, tenantId, item, next);
    this.queues.wake('webhooks', { tenantId });
  }

  private async promoteAll(tenantId: string, webhookId: string): Promise<void> {
    const deadline = Date.now() + ROUND_MS;
    let after = '';
    for (let isLast = false; !isLast && Date.now() < deadline;) {
      const chains = await this.database.query(tenantId, NEXT_CHAINS, { webhookId, after, limit: PAGE });
      const stuck = chains.filter(({ isStuck }) => isStuck);
      if (stuck.length > 0) {
        await this.database.transaction(tenantId, async (transaction) => {
          await lockChains(transaction, tenantId, [webhookId]);
          await promote(
            transaction,
            tenantId,
            stuck.map(({ resource }) => ({ webhookId, resource })),
          );
        });
      }
      after = chains.at(-1)?.resource ?? after;
      isLast = chains.length < PAGE;
    }
  }

  private async dissolveAll(tenantId: string, webhookId: string): Promise<void> {
    let found: unknown[];
    do {
      found = await this.database.transaction(tenantId, async (transaction) => {
        await lockChains(transaction, tenantId, [webhookId]);
        return transaction.query(tenantId, DISSOLVE, { webhookId });
      });
    } while (found.length > 0);
  }
}
