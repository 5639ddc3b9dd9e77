import { Injectable } from '@nestjs/common';
import { FairQueue } from '../admission/fair-queue.js';
import { Shares } from '../admission/shares.js';
import { Config } from '../config/config.js';
import { diskBytes } from '../config/disk.js';
import { Problem } from '../errors/problem.js';

/** Uploads that are received and looked at at once. */
const CONCURRENCY = 64;
/** Uploads of one tenant that may wait; their bodies are not read meanwhile. */
const MAX_WAITING = 64;
const WAIT_MS = 20_000;

/** Admits uploads: how many are under way, and how many bytes of unfinished ones are on the disk. Each tenant has a share. */
@Injectable()
export class UploadAdmission {
  private readonly queue = new FairQueue({
    concurrency: CONCURRENCY,
    maxWaiting: MAX_WAITING,
    waitMs: WAIT_MS,
    refusal: () => overloaded('Too many uploads are in progress.'),
  });
  private readonly bytes: Shares;

  constructor({ dataDir, mediaMaxBytes }: Config) {
    // Four times the largest file leaves room for one of each of three tenants, however small the disk is.
    this.bytes = new Shares(Math.max(4 * mediaMaxBytes, diskBytes(dataDir) / 4));
  }

  /** Runs the upload when it is the tenant's turn. `hold` counts bytes that arrive, and throws 503 when they exceed the share. */
  run<Result>(tenantId: string, upload: (hold: (bytes: number) => void) => Promise<Result>): Promise<Result> {
    return this.queue.run(tenantId, async () => {
      let held = 0;
      const hold = (bytes: number) => {
        if (!this.bytes.fits(tenantId, bytes)) throw overloaded('The uploads in progress have too many bytes.');
        this.bytes.take(tenantId, bytes);
        held += bytes;
      };
      try {
        return await upload(hold);
      } finally {
        if (held > 0) this.bytes.give(tenantId, held);
      }
    });
  }
}

function overloaded(detail: string): Problem {
  return new Problem('unavailable', detail, undefined, { 'Retry-After': '5' });
}
