import type { Place, Places } from '../work/places.js';

/** Maximum number of attempts of this process at once that are not slow yet. */
const MAX_QUICK = 256;
const MAX_QUICK_PER_TENANT = 50;
/** An attempt that takes longer is slow. It releases its slot, so that hanging receivers do not block other attempts. */
const SLOW_AFTER_MS = 1_000;
/** If more attempts than this are slow, each webhook has one attempt at a time. */
const MAX_SLOW = 1_000;

interface Tenant {
  quick: number;
  waiting: ((slot: Place) => void)[];
}

/** Distributes the attempts of this process among tenants. Tenants take turns, up to a limit for each. */
export class Slots implements Places {
  private readonly tenants = new Map<string, Tenant>();
  /** Waiting tenants that may have another slot, in the order of their turns. */
  private readonly turns = new Set<string>();
  private quick = 0;
  private slow = 0;

  /** Whether more than `MAX_SLOW` receivers hang, so that each webhook should have only one attempt at a time. */
  get crowded(): boolean {
    return this.slow > MAX_SLOW;
  }

  async enter(tenantId: string): Promise<Place> {
    const tenant = this.tenants.get(tenantId) ?? { quick: 0, waiting: [] };
    this.tenants.set(tenantId, tenant);
    const slot = new Promise<Place>((resolve) => tenant.waiting.push(resolve));
    this.share(tenantId, tenant);
    return slot;
  }

  private share(changedId: string, changed: Tenant): void {
    if (changed.waiting.length > 0 && changed.quick < MAX_QUICK_PER_TENANT) this.turns.add(changedId);
    while (this.quick < MAX_QUICK) {
      const [tenantId] = this.turns;
      const tenant = tenantId === undefined ? undefined : this.tenants.get(tenantId);
      if (tenantId === undefined || !tenant) return;
      this.turns.delete(tenantId);
      const next = tenant.waiting.shift();
      if (!next) continue;
      next(this.occupy(tenantId, tenant));
      if (tenant.waiting.length > 0 && tenant.quick < MAX_QUICK_PER_TENANT) this.turns.add(tenantId);
    }
  }

  private occupy(tenantId: string, tenant: Tenant): Place {
    this.quick++;
    tenant.quick++;
    let isSlow = false;
    const giveWay = () => {
      this.quick--;
      tenant.quick--;
      this.share(tenantId, tenant);
      if (tenant.quick === 0 && tenant.waiting.length === 0) this.tenants.delete(tenantId);
    };
    const timer = setTimeout(() => {
      isSlow = true;
      this.slow++;
      giveWay();
    }, SLOW_AFTER_MS);
    return {
      leave: () => {
        clearTimeout(timer);
        if (isSlow) this.slow--;
        else giveWay();
      },
    };
  }
}
