import { FairQueue } from '../admission/fair-queue.js';
import type { SetBacks } from '../database/database.js';

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

interface HeldPlace extends Place {
  tenantId: string;
  /** Whether another attempt has the place, because this one may wait for the database for long. */
  isAside: boolean;
}

/**
 * A fixed number of places. Tenants take turns, and one tenant alone uses about half of the places, so that those of others have some
 * however slow its attempts are.
 *
 * Tenants whose statements are not answered give their places to others, as many as there are places at most. Until they are answered, all of these
 * tenants have a fifth of the places together.
 */
export class FairPlaces implements Places {
  readonly crowded = false;
  private readonly queue: FairQueue;
  private readonly held = new Set<HeldPlace>();
  private aside = 0;

  constructor(
    private readonly count: number,
    setBacks: SetBacks,
  ) {
    this.queue = new FairQueue({
      concurrency: count,
      maxWaiting: Infinity,
      waitMs: UNLIMITED_MS,
      refusal: () => new Error('There was no free place.'),
    });
    setBacks.onSetBack((tenantId, isSetBack) => (isSetBack ? this.setBack(tenantId) : this.restore(tenantId)));
  }

  enter(tenantId: string): Promise<Place> {
    return new Promise((resolve, reject) => {
      this.queue.enter(tenantId, () => resolve(this.occupy(tenantId)), reject);
    });
  }

  private occupy(tenantId: string): Place {
    const place: HeldPlace = {
      tenantId,
      isAside: false,
      leave: () => {
        this.held.delete(place);
        if (place.isAside) this.aside--;
        else this.queue.leave(tenantId);
      },
    };
    this.held.add(place);
    return place;
  }

  private setBack(tenantId: string): void {
    this.queue.setBack(tenantId);
    for (const place of [...this.held]) {
      if (place.tenantId !== tenantId || place.isAside || this.aside >= this.count) continue;
      place.isAside = true;
      this.aside++;
      this.queue.leave(tenantId);
    }
  }

  private restore(tenantId: string): void {
    for (const place of this.held) {
      if (place.tenantId !== tenantId || !place.isAside) continue;
      place.isAside = false;
      this.aside--;
      this.queue.returnTo(tenantId);
    }
    this.queue.restore(tenantId);
  }
}
