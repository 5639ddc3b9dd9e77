import { Injectable, Logger, OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { Database } from '../database/database.js';
import { formatId } from '../ids/type-id.js';
import { forEachTenant } from '../queues/each-tenant.js';
import { PeriodicTask } from '../queues/periodic-task.js';
import { UploadFolder } from './uploads/upload-folder.js';
import { CLAIM_ORPHAN, FORGET_ORPHAN, OLD_ORPHANS } from './media.sql.js';
import { keyOf, MediaStorage, PRIVATE } from './storage/media-storage.js';
import { VariantBudget } from './variants/variant-budget.js';
import { UNMEASURED_VARIANTS, VARIANTS_OF_MEDIA } from './variants/variants.sql.js';

const MINUTE = 60_000;
const INTERVAL_MS = 10 * MINUTE;
/** No upload takes this long. Together with the interval, this is less than an hour, after which no orphaned bytes may be left. */
const UPLOAD_MS = 40 * MINUTE;
/**
 * The size of a variant from an earlier version of the service is unknown until it is requested. Removes it after this time without a
 * request.
 */
const UNMEASURED_MS = 7 * 24 * 60 * MINUTE;

/** Removes what crashes and failures left behind: bytes without a row, and files that were received in part. */
@Injectable()
export class MediaSweeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(MediaSweeper.name);
  private readonly sweeps = new PeriodicTask(INTERVAL_MS, () => this.sweep());

  constructor(
    private readonly budget: VariantBudget,
    private readonly database: Database,
    private readonly folder: UploadFolder,
    private readonly storage: MediaStorage,
  ) {}

  onApplicationBootstrap(): void {
    this.sweeps.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.sweeps.stop();
  }

  /** Removes everything that is older than any upload takes. */
  async sweep(now = new Date()): Promise<void> {
    const old = new Date(now.getTime() - UPLOAD_MS);
    await this.folder.sweep(old);
    for (const orphan of await this.database.acrossTenants(OLD_ORPHANS, { before: old })) {
      if (this.database.isRestricted(orphan.tenantId)) continue;
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
    const tenantIds = new Set(rows.map(({ tenantId }) => tenantId));
    await forEachTenant({ name: MediaSweeper.name, database: this.database }, tenantIds, async (tenantId) => {
      for (const row of rows) if (row.tenantId === tenantId) await this.budget.remove(tenantId, [row]);
    });
  }

  private async remove({ tenantId, id }: { tenantId: string; id: string }): Promise<void> {
    const [claimed] = await this.database.query(tenantId, CLAIM_ORPHAN, { id });
    if (!claimed) return;
    await this.storage.remove([keyOf(id), keyOf(id, PRIVATE)]);
    await this.budget.remove(tenantId, await this.database.query(tenantId, VARIANTS_OF_MEDIA, { mediaId: id }));
    await this.database.query(tenantId, FORGET_ORPHAN, { id });
  }
}
