import { FairQueue } from '../admission/fair-queue.js';
import type { RestrictedTenants } from '../database/database.js';

/** The permission to run one attempt. */
export interface Permit {
  release(): void;
}

/** Limits the attempts of this process at once, and distributes them among tenants. */
export interface TenantSemaphore {
  /** Whether each group should have only one attempt at a time, because too many attempts hang. */
  readonly crowded: boolean;
  acquire(tenantId: string): Promise<Permit>;
}

/** The longest time that a timer can take. A permit is released by every attempt, and every attempt has a time-out. */
const UNLIMITED_MS = 2_147_483_647;

interface HeldPermit extends Permit {
  tenantId: string;
  /** Whether another attempt has the permit too, because this one may wait for the database for long. */
  isAside: boolean;
}

/**
 * A fixed number of permits. Tenants take turns, and one tenant alone uses about half of the permits, so that those of others have some
 * however slow its attempts are.
 *
 * Tenants whose statements are not answered give their permits to others, as many as there are permits at most. Until they are answered, all of
 * these tenants have a fifth of the permits together.
 */
export class FairSemaphore implements TenantSemaphore {
  readonly crowded = false;
  private readonly queue: FairQueue;
  private readonly held = new Set<HeldPermit>();
  private aside = 0;

  constructor(
    private readonly permits: number,
    restrictedTenants: RestrictedTenants,
  ) {
    this.queue = new FairQueue({
      concurrency: permits,
      maxWaiting: Infinity,
      waitMs: UNLIMITED_MS,
      refusal: () => new Error('There was no free permit.'),
    });
    restrictedTenants.onRestriction((tenantId, isRestricted) =>
      isRestricted ? this.restrict(tenantId) : this.restore(tenantId),
    );
  }

  acquire(tenantId: string): Promise<Permit> {
    return new Promise((resolve, reject) => {
      this.queue.enter(tenantId, () => resolve(this.grant(tenantId)), reject);
    });
  }

  private grant(tenantId: string): Permit {
    const permit: HeldPermit = {
      tenantId,
      isAside: false,
      release: () => {
        this.held.delete(permit);
        if (permit.isAside) this.aside--;
        else this.queue.leave(tenantId);
      },
    };
    this.held.add(permit);
    return permit;
  }

  private restrict(tenantId: string): void {
    this.queue.restrict(tenantId);
    for (const permit of [...this.held]) {
      if (permit.tenantId !== tenantId || permit.isAside || this.aside >= this.permits) continue;
      permit.isAside = true;
      this.aside++;
      this.queue.leave(tenantId);
    }
  }

  private restore(tenantId: string): void {
    for (const permit of this.held) {
      if (permit.tenantId !== tenantId || !permit.isAside) continue;
      permit.isAside = false;
      this.aside--;
      this.queue.returnTo(tenantId);
    }
    this.queue.restore(tenantId);
  }
}
