import { FairQueue } from '../../admission/fair-queue.js';
import { Problem } from '../../errors/problem.js';
import type { Caller } from '../../http/caller.js';

/** Imports, or exports, of all tenants at once. One tenant alone gets half of them. */
const LIMITS = { concurrency: 8, maxWaiting: 16, waitMs: 20_000 };
/** Those of one tenant. One of its keys alone gets half of them, so that a slow client leaves some to the others. */
const OF_TENANT = LIMITS.concurrency / 2;

/** Limits the imports or the exports in progress, fairly among tenants, and among the keys of a tenant. */
export class ExchangeQueue {
  private readonly tenants: FairQueue;
  private readonly keys = new Map<string, FairQueue>();
  private readonly limits: typeof LIMITS & { refusal: () => Problem };

  constructor(noun: string) {
    const detail = `Too many ${noun} of this tenant, or with this API key, are in progress.`;
    this.limits = { ...LIMITS, refusal: () => Problem.unavailable(detail, 5) };
    this.tenants = new FairQueue(this.limits);
  }

  /** How many are in progress. */
  get running(): number {
    return this.tenants.running;
  }

  /** Resolves when one may start, with a function that must be called at its end. Throws a 503 if that takes too long. */
  async enter({ tenantId, credentialId, share }: Caller): Promise<() => void> {
    const keys = this.keys.get(tenantId) ?? new FairQueue({ ...this.limits, concurrency: OF_TENANT });
    this.keys.set(tenantId, keys);
    const done = () => {
      if (keys.running === 0 && keys.waiting === 0) this.keys.delete(tenantId);
    };
    try {
      const leaveKeys = await keys.enterAndWait(credentialId);
      try {
        const leaveTenants = await this.tenants.enterAndWait(share);
        return () => {
          leaveTenants();
          leaveKeys();
          done();
        };
      } catch (error) {
        leaveKeys();
        throw error;
      }
    } catch (error) {
      done();
      throw error;
    }
  }
}
