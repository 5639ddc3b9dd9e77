import { FairQueue } from '../admission/fair-queue.js';

/** The permission to run one attempt. */
export interface Place {
  leave(): void;
}

/** Distributes the attempts of this process among tenants. */
export interface Places {
  /** Whether each group should have only one attempt at a time, because too many attempts hang. */
  readonly crowded: boolean;
  enter(tenantId: string): Promise<Place>;
}

/** The longest time that a timer can take. A place is given back by every attempt, and every attempt has a time-out. */
const UNLIMITED_MS = 2_147_483_647;

/**
 * A fixed number of places. Tenants take turns, and one tenant alone uses about half of the places, so that those of others have some
 * however slow its attempts are.
 */
export class FairPlaces implements Places {
  readonly crowded = false;
  private readonly queue: FairQueue;

  constructor(count: number) {
    this.queue = new FairQueue({
      concurrency: count,
      maxWaiting: Infinity,
      waitMs: UNLIMITED_MS,
      refusal: () => new Error('There was no free place.'),
    });
  }

  enter(tenantId: string): Promise<Place> {
    return new Promise((resolve, reject) => {
      this.queue.enter(tenantId, () => resolve({ leave: () => this.queue.leave(tenantId) }), reject);
    });
  }
}
