import { Injectable } from '@nestjs/common';
import { FairQueue } from '../admission/fair-queue.js';
import { Shares } from '../admission/shares.js';
import { Config } from '../config/config.js';
import { diskBytes } from '../config/disk.js';
import { Problem } from '../errors/problem.js';

/** Maximum number of uploads that are received and inspected at once. */
const CONCURRENCY = 64;
/** Maximum number of waiting uploads of a tenant. Their bodies are not read while they wait. */
const MAX_WAITING = 64;
const WAIT_MS = 20_000;

/** Limits the number of uploads in progress, and their bytes on the disk. Each tenant has a share. */
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
    // Four times the largest file is enough for one such file of each of three tenants, even if the disk is small.
    this.bytes = new Shares(Math.max(4 * mediaMaxBytes, diskBytes(dataDir) / 4));
  }

  /** Runs the upload when it is the tenant's turn. `hold` counts the bytes that arrive, and throws a 503 if they exceed the share. */
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
  return Problem.unavailable(detail, 5);
}
