import { isPublicKey, wholeOf } from './public-key.js';

/** The part of a capacity that all public keys may use together. */
const PUBLIC_PART = 0.75;
/** The part of a capacity that all keys that are restricted may use together; at least 1. */
const RESTRICTED_PART = 0.2;

/**
 * Divides a capacity among keys (tenants). A key may use at most as much as remains free. One key alone gets half of the capacity, two
 * get a third each, so that busy keys leave capacity for new ones. These are the dynamic thresholds of Choudhury and Hahne (IEEE/ACM
 * Transactions on Networking 6(2), 1998) with alpha 1.
 *
 * All public keys together get at most three quarters, because strangers decide how many tenants' public routes they call at once. One
 * public key alone gets half, so that there is something left for the visitors of other tenants.
 *
 * In the share of a public key, an address that has a part of it already gets more only while more is free than in use. So a few slow clients
 * never take what a visitor from another address needs.
 *
 * A key whose amounts do not come back can be restricted. All such keys together get a fifth, however many they are.
 */
export class Quotas {
  private readonly amounts = new Map<string, number>();
  private readonly restrictedKeys = new Set<string>();
  private total = 0;
  private publicTotal = 0;

  /** @param capacity in the unit of the amounts, for example connections or bytes. */
  constructor(readonly capacity: number) {}

  get used(): number {
    return this.total;
  }

  get isFull(): boolean {
    return this.total >= this.capacity;
  }

  usedBy(key: string): number {
    return this.amounts.get(key) ?? 0;
  }

  /** Whether the key may take `amount` more. An amount larger than the capacity fits only while nothing is in use. */
  fits(key: string, amount = 1): boolean {
    if (this.total === 0) return true;
    const whole = wholeOf(key);
    const used = this.usedBy(whole ?? key);
    const room = this.capacity - this.total - used;
    const isFirst = whole === undefined || this.usedBy(key) === 0;
    if (amount > room || (!isFirst && used + amount > room)) return false;
    return (
      (!isPublicKey(key) || this.fitsPublic(amount)) &&
      (!this.restrictedKeys.has(whole ?? key) || this.fitsRestricted(amount))
    );
  }

  restrict(key: string): void {
    this.restrictedKeys.add(key);
  }

  restore(key: string): void {
    this.restrictedKeys.delete(key);
  }

  private fitsPublic(amount: number): boolean {
    return this.publicTotal === 0 || this.publicTotal + amount <= PUBLIC_PART * this.capacity;
  }

  private fitsRestricted(amount: number): boolean {
    let used = 0;
    for (const key of this.restrictedKeys) used += this.usedBy(key);
    return used + amount <= Math.max(1, Math.floor(RESTRICTED_PART * this.capacity));
  }

  /** Takes the amount, whether or not it fits. */
  take(key: string, amount = 1): void {
    this.add(key, amount);
    this.total += amount;
    if (isPublicKey(key)) this.publicTotal += amount;
  }

  give(key: string, amount = 1): void {
    this.take(key, -amount);
  }

  private add(key: string, amount: number): void {
    const whole = wholeOf(key);
    if (whole !== undefined) this.add(whole, amount);
    const left = this.usedBy(key) + amount;
    if (left < 0) throw new Error(`${key} released more than it had taken.`);
    if (left === 0) this.amounts.delete(key);
    else this.amounts.set(key, left);
  }
}
