import { Injectable } from '@nestjs/common';
import { TenantCache } from '../../tenants/tenant-cache.js';

const CACHE_BYTES = 16 * 1024 * 1024;
/** Memory of a fingerprint in its set, about. */
const FINGERPRINT_BYTES = 48;
/** Words of a content type that are remembered. If it has more, the memory of its words starts again. */
const MAX_WORDS = 100_000;

/**
 * Remembers which words the dictionaries of content types have, so that a write sends only words that may be new. Words are never removed
 * from a dictionary while its type exists.
 */
@Injectable()
export class KnownWords {
  private readonly types = new TenantCache<Set<number>>(CACHE_BYTES);

  /** Returns the words that are not known, sorted. */
  unknown(tenantId: string, typeId: string, words: readonly string[]): string[] {
    const known = this.types.get(tenantId, typeId);
    return (known ? words.filter((word) => !known.has(fingerprint(word))) : [...words]).sort();
  }

  /** Call it only when the words have been committed. */
  add(tenantId: string, typeId: string, words: readonly string[]): void {
    if (words.length === 0) return;
    let known = this.types.get(tenantId, typeId);
    if (!known || known.size + words.length > MAX_WORDS) known = new Set();
    for (const word of words) known.add(fingerprint(word));
    this.types.set(tenantId, typeId, known, known.size * FINGERPRINT_BYTES);
  }
}

/** A number of 53 bits: a million words share one with a probability of 1 to 18,000. A word by itself would keep its whole text in memory. */
function fingerprint(word: string): number {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < word.length; index++) {
    const code = word.charCodeAt(index);
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return 4_294_967_296 * (high & 0x1fffff) + (low >>> 0);
}
