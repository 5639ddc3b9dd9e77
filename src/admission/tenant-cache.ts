import { LRUCache } from 'lru-cache';

/**
 * A cache with a limit in bytes that tenants share. If it is full, the least recently used value of the tenant that uses the most is
 * evicted. So a tenant with many values does not evict those of smaller ones.
 */
export class TenantCache<Value extends object> {
  private readonly byTenant = new Map<string, LRUCache<string, Value>>();
  private total = 0;

  constructor(private readonly maxBytes: number) {}

  get bytes(): number {
    return this.total;
  }

  get(tenantId: string, key: string): Value | undefined {
    return this.byTenant.get(tenantId)?.get(key);
  }

  /** `bytes` is the size of the value in memory. A value that exceeds the limit of the cache is not stored. */
  set(tenantId: string, key: string, value: Value, bytes: number): void {
    this.delete(tenantId, key);
    const size = Math.max(1, Math.ceil(bytes));
    if (size > this.maxBytes) return;
    // Evict before the value is stored. Otherwise the only value of a tenant could be evicted at once.
    while (this.total + size > this.maxBytes) this.evict();
    const own = this.byTenant.get(tenantId) ?? new LRUCache<string, Value>({ maxSize: this.maxBytes });
    this.byTenant.set(tenantId, own);
    this.change(own, () => own.set(key, value, { size }));
  }

  delete(tenantId: string, key: string): void {
    const own = this.byTenant.get(tenantId);
    if (!own) return;
    this.change(own, () => own.delete(key));
    if (own.size === 0) this.byTenant.delete(tenantId);
  }

  private evict(): void {
    let [largest] = this.byTenant;
    if (!largest) return;
    for (const one of this.byTenant) if (one[1].calculatedSize > largest[1].calculatedSize) largest = one;
    const [tenantId, values] = largest;
    this.change(values, () => values.pop());
    if (values.size === 0) this.byTenant.delete(tenantId);
  }

  private change(values: LRUCache<string, Value>, change: () => void): void {
    const before = values.calculatedSize;
    change();
    this.total += values.calculatedSize - before;
  }
}
