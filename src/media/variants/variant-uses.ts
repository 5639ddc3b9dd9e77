import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database } from '../../database/database.js';
import { keyOf } from '../storage/media-storage.js';
import { USE_VARIANT } from './variants.sql.js';

const HOUR_MS = 3_600_000;
/** Maximum number of variants whose last use this process remembers. */
const MAX_REMEMBERED = 10_000;

/** Identifies a variant of a tenant's file. */
export interface VariantKey {
  mediaId: string;
  name: string;
}

/** Records when a variant was last used, at most once an hour. No request waits for that. */
@Injectable()
export class VariantUses {
  private readonly times = new LRUCache<string, number>({ max: MAX_REMEMBERED });

  constructor(private readonly database: Database) {}

  /** `bytes` is the part of the budget that the variant takes. */
  note(tenantId: string, variant: VariantKey, bytes: number): void {
    const { mediaId, name } = variant;
    const now = Date.now();
    if ((this.times.get(keyOf(mediaId, name)) ?? 0) > now - HOUR_MS) return;
    this.remember(variant, now);
    const use = { mediaId, name, bytes, usedAt: new Date(now), usedBefore: new Date(now - HOUR_MS) };
    this.database.query(tenantId, USE_VARIANT, use).catch(() => this.times.delete(keyOf(mediaId, name)));
  }

  /** Remembers that the use at this time is recorded already. */
  remember({ mediaId, name }: VariantKey, now = Date.now()): void {
    this.times.set(keyOf(mediaId, name), now);
  }
}
