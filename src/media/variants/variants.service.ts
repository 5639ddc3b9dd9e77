import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import { RateLimiter } from '../../access/rate-limiter.js';
import type { Rate } from '../../access/rate-limits.js';
import { Database } from '../../database/database.js';
import { Problem } from '../../errors/problem.js';
import { writeNewFile } from '../../http/bodies/new-file.js';
import { FailedVariants } from './failed-variants.js';
import { UploadFolder } from '../uploads/upload-folder.js';
import { GET_MEDIA, type MediaRow } from '../media.sql.js';
import { keyOf, MediaStorage, type StoredBytes } from '../storage/media-storage.js';
import { DRAWING_LIMITS } from '../pictures/picture-limits.js';
import { PictureFault, type PictureProcess } from '../pictures/picture-process.js';
import { Pictures } from '../pictures/pictures.js';
import { mimeTypeOf, type Variant } from './variant.js';
import { VariantBudget } from './variant-budget.js';

/** New variants that a client address may request. */
const NEW_VARIANTS: Rate = { limit: 120, window: 'minute' };

/** Variants of images. They are created when they are first requested, with tenants in turn, and stored within a budget. */
@Injectable()
export class VariantsService {
  private readonly inProgress = new Map<string, Promise<void>>();
  private readonly failures = new FailedVariants();

  constructor(
    private readonly budget: VariantBudget,
    private readonly database: Database,
    private readonly folder: UploadFolder,
    private readonly pictures: Pictures,
    private readonly storage: MediaStorage,
    private readonly limiter: RateLimiter,
  ) {}

  /**
   * Returns the bytes of the variant. Throws a 400 if the image cannot be drawn, a 429 or 503 if too many new variants are requested, and a
   * 507 or 503 if the variant cannot be stored.
   */
  async open(tenantId: string, media: MediaRow, variant: Variant, address: string): Promise<StoredBytes> {
    const key = keyOf(media.id, variant.name);
    const stored = await this.storage.read(key);
    if (stored) {
      this.budget.used(tenantId, { mediaId: media.id, name: variant.name }, stored.length);
      return stored;
    }
    await this.limiter.count(
      `variants:${address}`,
      NEW_VARIANTS,
      'Too many new variants were requested within a minute.',
    );
    if (this.failures.isTooSoon(key)) throw undrawable();
    await this.makeOnce(tenantId, media.id, variant);
    const made = await this.storage.read(key);
    if (made) return made;
    const [still] = await this.database.query(tenantId, GET_MEDIA, { id: media.id });
    throw still ? removed() : Problem.notFound('media file');
  }

  /** Creates the variant once, even if several requests need it. */
  private async makeOnce(tenantId: string, mediaId: string, variant: Variant): Promise<void> {
    const key = keyOf(mediaId, variant.name);
    let making = this.inProgress.get(key);
    if (!making) {
      making = this.pictures.drawing
        .run(tenantId, (process) => this.make(process, tenantId, mediaId, variant))
        .finally(() => this.inProgress.delete(key));
      this.inProgress.set(key, making);
    }
    await making;
  }

  private async make(process: PictureProcess, tenantId: string, mediaId: string, variant: Variant): Promise<void> {
    await this.folder.withFile(async (target) => {
      const bytes = await this.draw(process, mediaId, variant, target);
      const put = () => this.storage.put(keyOf(mediaId, variant.name), target, mimeTypeOf(variant.format));
      await this.budget.store(tenantId, { mediaId, name: variant.name }, bytes, put);
    });
  }

  private async draw(process: PictureProcess, mediaId: string, variant: Variant, target: string): Promise<number> {
    const key = keyOf(mediaId, variant.name);
    const { maxBytes } = this.budget;
    try {
      const bytes = await this.withSource(mediaId, (source) =>
        process.draw({ source, target, variant, maxBytes }, DRAWING_LIMITS),
      );
      this.failures.succeeded(key);
      return bytes;
    } catch (error) {
      // Remember only failures of the image itself, because a disk or storage may work again in a second.
      if (!(error instanceof PictureFault)) throw error;
      this.failures.failed(key);
      throw undrawable(error);
    }
  }

  /** Runs `work` with the original as a local file. If the storage is not local, the file is a copy. */
  private async withSource<Result>(mediaId: string, work: (path: string) => Promise<Result>): Promise<Result> {
    const local = this.storage.localPath(keyOf(mediaId));
    if (local !== undefined) {
      return work(local).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOENT' ? Problem.notFound('media file') : error;
      });
    }
    return this.folder.withFile(async (path) => {
      const original = await this.storage.read(keyOf(mediaId));
      if (!original) throw Problem.notFound('media file');
      await writeNewFile(path, (target) => pipeline(original.stream, target));
      return work(path);
    });
  }
}

function undrawable(cause?: Error): Problem {
  const problem = new Problem(
    'invalid_parameter',
    'The variant cannot be created: the image is damaged or takes too much work, or the variant is too large ' +
      'in this format.',
  );
  problem.cause = cause;
  return problem;
}

/** Other variants took its space before it was sent. */
function removed(): Problem {
  return Problem.unavailable('The variant was removed to free space.');
}
