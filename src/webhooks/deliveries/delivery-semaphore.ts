import type { RestrictedTenants } from '../../database/database.js';
import type { Permit, TenantSemaphore } from '../../work/fair-semaphore.js';

/** Maximum number of attempts of this process at once that are not slow yet. */
const MAX_QUICK = 256;
const MAX_QUICK_PER_TENANT = 50;
/** Of a tenant whose statements are not answered: an attempt would probably wait for the database and not for a receiver. */
const MAX_QUICK_RESTRICTED = 1;
/** An attempt that takes longer is slow. It gives its permit to another, so that hanging receivers do not block other attempts. */
const SLOW_AFTER_MS = 1_000;
/** If more attempts than this are slow, each webhook has one attempt at a time. */
const MAX_SLOW = 1_000;

interface Tenant {
  quick: number;
  waiting: ((permit: Permit) => void)[];
}

interface HeldPermit {
  tenantId: string;
  /** `aside`: it is slow because the database does not answer, which says nothing about receivers. */
  state: 'quick' | 'slow' | 'aside';
}

/** Distributes the attempts of this process among tenants. Tenants take turns, up to a limit for each. */
export class DeliverySemaphore implements TenantSemaphore {
  private readonly tenants = new Map<string, Tenant>();
  /** Waiting tenants that may have another permit, in the order of their turns. */
  private readonly turns = new Set<string>();
  private readonly notQuick = new Set<HeldPermit>();
  private quick = 0;
  private slow = 0;

  constructor(private readonly restrictedTenants: RestrictedTenants) {
    restrictedTenants.onRestriction((tenantId, isRestricted) => this.noteRestriction(tenantId, isRestricted));
  }

  /** Whether more than `MAX_SLOW` receivers hang, so that each webhook should have only one attempt at a time. */
  get crowded(): boolean {
    return this.slow > MAX_SLOW;
  }

  async acquire(tenantId: string): Promise<Permit> {
    const tenant = this.tenants.get(tenantId) ?? { quick: 0, waiting: [] };
    this.tenants.set(tenantId, tenant);
    const permit = new Promise<Permit>((resolve) => tenant.waiting.push(resolve));
    this.share(tenantId, tenant);
    return permit;
  }

  private share(changedId: string, changed: Tenant): void {
    if (this.mayHaveMore(changedId, changed)) this.turns.add(changedId);
    while (this.quick < MAX_QUICK) {
      const [tenantId] = this.turns;
      const tenant = tenantId === undefined ? undefined : this.tenants.get(tenantId);
      if (tenantId === undefined || !tenant) return;
      this.turns.delete(tenantId);
      const next = tenant.waiting.shift();
      if (!next) continue;
      next(this.grant(tenantId, tenant));
      if (this.mayHaveMore(tenantId, tenant)) this.turns.add(tenantId);
    }
  }

  private mayHaveMore(tenantId: string, { quick, waiting }: Tenant): boolean {
    if (waiting.length === 0) return false;
    return quick < (this.restrictedTenants.isRestricted(tenantId) ? MAX_QUICK_RESTRICTED : MAX_QUICK_PER_TENANT);
  }

  private grant(tenantId: string, tenant: Tenant): Permit {
    this.quick++;
    tenant.quick++;
    const permit: HeldPermit = { tenantId, state: 'quick' };
    const giveWay = () => {
      this.quick--;
      tenant.quick--;
      this.share(tenantId, tenant);
      if (tenant.quick === 0 && tenant.waiting.length === 0) this.tenants.delete(tenantId);
    };
    const timer = setTimeout(() => {
      this.notQuick.add(permit);
      this.count(permit, this.restrictedTenants.isRestricted(tenantId) ? 'aside' : 'slow');
      giveWay();
    }, SLOW_AFTER_MS);
    return {
      release: () => {
        clearTimeout(timer);
        if (!this.notQuick.delete(permit)) giveWay();
        else if (permit.state === 'slow') this.slow--;
      },
    };
  }

  private noteRestriction(tenantId: string, isRestricted: boolean): void {
    for (const permit of this.notQuick)
      if (permit.tenantId === tenantId) this.count(permit, isRestricted ? 'aside' : 'slow');
    const tenant = this.tenants.get(tenantId);
    if (tenant && !isRestricted) this.share(tenantId, tenant);
  }

  private count(permit: HeldPermit, state: 'slow' | 'aside'): void {
    this.slow += Number(state === 'slow') - Number(permit.state === 'slow');
    permit.state = state;
  }
}
