import { Injectable, Logger, OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { Database } from '../database/database.js';
import { formatId } from '../ids/type-id.js';
import { UploadFolder } from './upload-folder.js';
import { CLAIM_ORPHAN, FORGET_ORPHAN, OLD_ORPHANS } from './media.sql.js';
import { keyOf, MediaStorage } from './media-storage.js';
import { VariantBudget } from './variant-budget.js';
import { UNMEASURED_VARIANTS, VARIANTS_OF_MEDIA } from './variants.sql.js';

const MINUTE = 60_000;
const INTERVAL = 10 * MINUTE;
/** No upload takes so long; and both together are less than the hour after which nothing may be left. */
const UPLOAD_MS = 40 * MINUTE;
/** Variants of an earlier version of the service whose bytes nobody asked for since, and so nobody measured. */
const UNMEASURED_MS = 7 * 24 * 60 * MINUTE;

/** Removes what crashes and failures left behind: bytes without a row, and files half received. */
@Injectable()
export class MediaSweeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(MediaSweeper.name);
  private timer?: NodeJS.Timeout;
  private sweeping: Promise<void> = Promise.resolve();

  constructor(
    private readonly budget: VariantBudget,
    private readonly database: Database,
    private readonly folder: UploadFolder,
    private readonly storage: MediaStorage,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.sweeping = this.sweep().catch((error: unknown) =>
        this.logger.warn({ err: error }, 'The removal of orphaned files failed'),
      );
    }, INTERVAL);
    this.timer.unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.sweeping;
  }

  /** Everything that is older than any upload takes. */
  async sweep(now = new Date()): Promise<void> {
    const old = new Date(now.getTime() - UPLOAD_MS);
    await this.folder.sweep(old);
    for (const orphan of await this.database.acrossTenants(OLD_ORPHANS, { before: old })) {
      try {
        await this.remove(orphan);
      } catch (error) {
        this.logger.warn(
          { tenant_id: orphan.tenantId, media: formatId('med', orphan.id), err: error },
          'The bytes of an orphaned file could not be removed',
        );
      }
    }
    await this.sweepVariants(new Date(now.getTime() - UNMEASURED_MS));
  }

  private async sweepVariants(usedBefore: Date): Promise<void> {
    const rows = await this.database.acrossTenants(UNMEASURED_VARIANTS, { usedBefore });
    for (const row of rows) await this.budget.remove(row.tenantId, [row]);
  }

  private async remove({ tenantId, id }: { tenantId: string; id: string }): Promise<void> {
    const [claimed] = await this.database.query(tenantId, CLAIM_ORPHAN, { id });
    if (!claimed) return;
    await this.storage.remove([keyOf(id)]);
    await this.budget.remove(tenantId, await this.database.query(tenantId, VARIANTS_OF_MEDIA, { mediaId: id }));
    await this.database.query(tenantId, FORGET_ORPHAN, { id });
  }
}
