import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Database } from '../../database/database.js';
import { Problem } from '../../errors/problem.js';
import { keyOf, MediaStorage } from '../storage/media-storage.js';
import { type VariantKey, VariantUses } from './variant-uses.js';
import {
  FORGET_VARIANTS,
  GET_VARIANT,
  IS_STILL_NOTED,
  LEAST_USED_VARIANTS,
  NOTE_VARIANT,
  USE_VARIANT,
  VARIANT_TOTALS,
  type VariantRow,
} from './variants.sql.js';

const DAY_MS = 86_400_000;
/** Maximum bytes of a variant. A photograph of the largest size has about 20 MB as PNG. */
const MAX_VARIANT_BYTES = 33_554_432;
const MAX_TRIES = 5;
/** Variants are removed in batches of 100. After the budget was lowered by much, several rounds are necessary. */
const MAX_BATCHES = 100;
/** The disk space of the smallest file. */
const BLOCK_BYTES = 4_096;

/**
 * Keeps the stored variants of all tenants within `VARIANTS_MAX_BYTES`. If they exceed it, the tenant with the most bytes loses its least
 * recently used variants. A tenant within an equal share therefore loses none. A row is written before the bytes and removed after them.
 */
@Injectable()
export class VariantBudget {
  /** Maximum bytes of a variant. */
  readonly maxBytes: number;
  private readonly capacity: number;
  /** Variants that are recorded but not stored yet. */
  private readonly inProgress = new Set<string>();
  private clearing: Promise<void> = Promise.resolve();

  constructor(
    config: Config,
    private readonly database: Database,
    private readonly storage: MediaStorage,
    private readonly uses: VariantUses,
  ) {
    this.capacity = config.variantsMaxBytes;
    this.maxBytes = Math.min(MAX_VARIANT_BYTES, Math.floor(this.capacity / 2));
  }

  /**
   * Records the variant, frees space for it, and stores it with `put`. Returns false if the variant was removed or its file was deleted in
   * the meantime.
   */
  async store(tenantId: string, variant: VariantKey, bytes: number, put: () => Promise<void>): Promise<boolean> {
    const key = keyOf(variant.mediaId, variant.name);
    this.inProgress.add(key);
    try {
      await this.note(tenantId, variant, bytes);
      await this.makeRoom();
      await put();
      const [still] = await this.database.query(tenantId, IS_STILL_NOTED, variant);
      if (still) return true;
      await this.storage.remove([key]);
      return false;
    } catch (error) {
      // If this fails too, the row shows that there may be bytes.
      await this.forget(tenantId, variant).catch(() => undefined);
      throw error;
    } finally {
      this.inProgress.delete(key);
    }
  }

  /** Records that the variant of this size is used. */
  used(tenantId: string, variant: VariantKey, bytes: number): void {
    this.uses.note(tenantId, variant, occupied(bytes));
  }

  /** Removes the bytes of variants, then their rows. */
  async remove(tenantId: string, rows: readonly VariantRow[]): Promise<void> {
    if (rows.length === 0) return;
    await this.storage.remove(rows.map(({ mediaId, name }) => keyOf(mediaId, name)));
    await this.database.query(tenantId, FORGET_VARIANTS, {
      mediaIds: rows.map(({ mediaId }) => mediaId),
      names: rows.map(({ name }) => name),
      usedAt: rows.map(({ usedAt }) => usedAt),
    });
  }

  private async note(tenantId: string, variant: VariantKey, bytes: number): Promise<void> {
    const use = { ...variant, bytes: occupied(bytes), usedAt: new Date() };
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const [noted] = await this.database.query(tenantId, NOTE_VARIANT, use);
      if (noted) return this.uses.remember(variant);
      // Another process recorded the variant, or its bytes were lost.
      const usedBefore = new Date(Date.now() + DAY_MS);
      const [used] = await this.database.query(tenantId, USE_VARIANT, { ...use, usedBefore });
      if (used) return this.uses.remember(variant);
    }
    throw Problem.notFound('media file');
  }

  private async forget(tenantId: string, variant: VariantKey): Promise<void> {
    await this.remove(tenantId, await this.database.query(tenantId, GET_VARIANT, variant));
  }

  /** Runs one removal at a time, so that two removals do not select the same variants. */
  private makeRoom(): Promise<void> {
    const cleared = this.clearing.then(() => this.clear());
    this.clearing = cleared.catch(() => undefined);
    return cleared;
  }

  private async clear(): Promise<void> {
    for (let batches = 0; batches < MAX_BATCHES; batches++) {
      const tenants = await this.database.acrossTenants(VARIANT_TOTALS, {});
      const excess = (tenants[0]?.allBytes ?? 0) - this.capacity;
      if (excess <= 0 || !(await this.evict(tenants, excess))) return;
    }
  }

  /** Removes variants of the first tenant that has any. Returns false if no tenant has any. */
  private async evict(tenants: readonly { tenantId: string }[], excess: number): Promise<boolean> {
    for (const { tenantId } of tenants) {
      if (this.database.isRestricted(tenantId)) continue;
      const rows = await this.database.query(tenantId, LEAST_USED_VARIANTS, {});
      const removable = rows.filter(({ mediaId, name }) => !this.inProgress.has(keyOf(mediaId, name)));
      const victims = enough(removable, excess);
      if (victims.length === 0) continue;
      await this.remove(tenantId, victims);
      return true;
    }
    return false;
  }
}

/** Returns the disk space of a file. Otherwise files of a few bytes could fill a disk. */
function occupied(bytes: number): number {
  return Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;
}

/** Returns the first rows that have `bytes` together, or all rows. */
function enough(rows: readonly VariantRow[], bytes: number): VariantRow[] {
  let sum = 0;
  return rows.filter((row) => {
    const isNeeded = sum < bytes;
    if (isNeeded) sum += row.bytes;
    return isNeeded;
  });
}
