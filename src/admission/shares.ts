import { isPublicKey } from './public-key.js';

/** The part of a capacity that all public keys may use together. */
const PUBLIC_PART = 0.75;

/**
 * Divides a capacity among keys (tenants). A key may use at most as much as remains free. One key alone gets half of the capacity, two
 * get a third each, so that busy keys leave capacity for new ones. These are the dynamic thresholds of Choudhury and Hahne (IEEE/ACM
 * Transactions on Networking 6(2), 1998) with alpha 1.
 *
 * All public keys together get at most three quarters, because strangers decide how many tenants' public routes they call at once. One
 * public key alone gets half, so that there is something left for the visitors of other tenants.
 */
export class Shares {
  private readonly amounts = new Map<string, number>();
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
    return this.usedBy(key) + amount <= this.capacity - this.total && (!isPublicKey(key) || this.fitsPublic(amount));
  }

  private fitsPublic(amount: number): boolean {
    return this.publicTotal === 0 || this.publicTotal + amount <= PUBLIC_PART * this.capacity;
  }

  take(key: string, amount = 1): void {
    this.add(key, amount);
    this.amounts.set(key, this.usedBy(key) + amount);
  }

  give(key: string, amount = 1): void {
    const left = this.usedBy(key) - amount;
    if (left < 0) throw new Error(`${key} released more than it had taken.`);
    this.add(key, -amount);
    if (left === 0) this.amounts.delete(key);
    else this.amounts.set(key, left);
  }

  private add(key: string, amount: number): void {
    this.total += amount;
    if (isPublicKey(key)) this.publicTotal += amount;
  }
}
