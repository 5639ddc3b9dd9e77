import { createWriteStream } from 'node:fs';
import { availableParallelism } from 'node:os';
import { pipeline } from 'node:stream/promises';
import { Inject, Injectable } from '@nestjs/common';
import { ThrottlerStorage } from '@nestjs/throttler';
import { MINUTE, tooManyRequests } from '../access/rate-limits.js';
import { Database } from '../database/database.js';
import { Problem } from '../errors/problem.js';
import { drawVariant } from './draw-variant.js';
import { Incoming } from './incoming.js';
import { GET_SERVED, type MediaRow, NOTE_VARIANT } from './media.sql.js';
import { keyOf, MediaStorage, type StoredBytes } from './media-storage.js';
import { Turns } from './turns.js';
import { mimeTypeOf, USUAL_VARIANTS, type Variant } from './variant.js';

/** A file as it is served. */
export interface ServedMedia extends MediaRow {
  /** Names of the variants that were made, or are about to be. */
  variants: string[];
}

/** Variants that a file may have beside the usual ones. */
const MAX_UNUSUAL = 32;
/** New variants that one client address may ask for in a minute. */
const MAX_NEW_A_MINUTE = 120;
const MAX_WAITING = 64;
/** Milliseconds that a client waits for its turn. */
const PATIENCE = 20_000;
/** What could not be drawn is not tried again for so long. */
const FAILED_FOR = 10 * MINUTE;
const MAX_FAILED = 10_000;

/** Variants of images: made when they are first asked for, one at a time on each half of the cores, and kept with the file. */
@Injectable()
export class VariantsService {
  private readonly turns = new Turns({
    atOnce: Math.max(1, Math.floor(availableParallelism() / 2)),
    waiting: MAX_WAITING,
    patience: PATIENCE,
    turnAway: overloaded,
  });
  private readonly underWay = new Map<string, Promise<void>>();
  private readonly failed = new Map<string, number>();

  constructor(
    private readonly database: Database,
    private readonly incoming: Incoming,
    private readonly storage: MediaStorage,
    @Inject(ThrottlerStorage) private readonly limits: ThrottlerStorage,
  ) {}

  /** The variant's bytes. 400 when the file has as many as it may, 429 and 503 when too many new ones are asked for. */
  async open(tenantId: string, media: ServedMedia, variant: Variant, address: string): Promise<StoredBytes> {
    const key = keyOf(media.id, variant.name);
    const noted = media.variants.includes(variant.name);
    const kept = noted ? await this.storage.read(key) : undefined;
    if (kept) return kept;
    await this.limit(address);
    this.assertDrawable(key);
    if (!noted) await this.note(tenantId, media.id, variant.name);
    await this.makeOnce(key, media.id, variant);
    // It may have been deleted meanwhile, with the variants that were there then.
    const [still] = await this.database.query(tenantId, GET_SERVED, [media.id]);
    const made = still ? await this.storage.read(key) : undefined;
    if (made) return made;
    await this.storage.remove([key]);
    throw Problem.notFound('media');
  }

  private async limit(address: string): Promise<void> {
    const key = `variants:${address}`;
    const hits = await this.limits.increment(key, MINUTE, MAX_NEW_A_MINUTE, 0, 'variants');
    if (hits.isBlocked) throw tooManyRequests(hits.timeToExpire, 'Too many new variants in a minute.');
  }

  private assertDrawable(key: string): void {
    if ((this.failed.get(key) ?? 0) > Date.now()) throw undrawable();
  }

  /** Before it is made, so that a deletion knows of it. */
  private async note(tenantId: string, id: string, name: string): Promise<void> {
    const noted = await this.database.query(tenantId, NOTE_VARIANT, [id, name, MAX_UNUSUAL, USUAL_VARIANTS]);
    if (noted.length > 0) return;
    const [media] = await this.database.query<ServedMedia>(tenantId, GET_SERVED, [id]);
    if (!media) throw Problem.notFound('media');
    if (media.variants.includes(name)) return;
    throw new Problem(
      'invalid_parameter',
      `This file has ${MAX_UNUSUAL} variants of unusual sizes, and may not have more.`,
    );
  }

  /** However many ask for it, it is made once. */
  private async makeOnce(key: string, id: string, variant: Variant): Promise<void> {
    let making = this.underWay.get(key);
    if (!making) {
      making = this.turns.take(() => this.make(key, id, variant)).finally(() => this.underWay.delete(key));
      this.underWay.set(key, making);
    }
    await making;
  }

  private async make(key: string, id: string, variant: Variant): Promise<void> {
    await this.incoming.withFile((source) =>
      this.incoming.withFile(async (target) => {
        const original = await this.storage.read(keyOf(id));
        if (!original) throw Problem.notFound('media');
        await pipeline(original.stream, createWriteStream(source));
        try {
          await drawVariant(source, target, variant);
        } catch {
          this.rememberFailure(key);
          throw undrawable();
        }
        await this.storage.put(key, target, mimeTypeOf(variant.format));
      }),
    );
  }

  private rememberFailure(key: string): void {
    const [oldest] = this.failed.keys();
    if (this.failed.size >= MAX_FAILED && oldest !== undefined) this.failed.delete(oldest);
    this.failed.set(key, Date.now() + FAILED_FOR);
  }
}

function undrawable(): Problem {
  return new Problem('invalid_parameter', 'No variant of this image can be made: it is damaged, or too much work.');
}

function overloaded(): Problem {
  return new Problem('unavailable', 'Too many variants are being made.', undefined, { 'Retry-After': '5' });
}
