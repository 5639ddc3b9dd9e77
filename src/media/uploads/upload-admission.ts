import { Injectable } from '@nestjs/common';
import { FairQueue } from '../../admission/fair-queue.js';
import { Quotas } from '../../admission/quotas.js';
import { Config } from '../../config/config.js';
import { diskBytes } from '../../config/disk.js';
import { Problem } from '../../errors/problem.js';

/** Maximum number of uploads that are received and inspected at once. */
const CONCURRENCY = 64;
/** Maximum number of waiting uploads of a tenant. Their bodies are not read while they wait. */
const MAX_WAITING = 64;
const WAIT_MS = 20_000;

/** An upload in progress. */
export interface UploadPermit {
  /** Counts bytes on the disk, and throws a 503 if they exceed the share. */
  hold: (bytes: number) => void;
  /** Must be called once, when the bytes are no longer in progress. */
  end: () => void;
}

/** Limits the number of uploads in progress, and their bytes on the disk. Each tenant has a share. */
@Injectable()
export class UploadAdmission {
  private readonly queue = new FairQueue({
    concurrency: CONCURRENCY,
    maxWaiting: MAX_WAITING,
    waitMs: WAIT_MS,
    refusal: () => overloaded('Too many uploads are in progress.'),
  });
  private readonly bytes: Quotas;

  constructor({ dataDir, mediaMaxBytes }: Config) {
    // Four times the largest file is enough for one such file of each of three tenants, even if the disk is small.
    this.bytes = new Quotas(Math.max(4 * mediaMaxBytes, diskBytes(dataDir) / 4));
  }

  /** The number of uploads that wait for a place. */
  get waiting(): number {
    return this.queue.waiting;
  }

  /** Runs the upload when it is the tenant's turn. `hold` is that of `UploadPermit`. */
  run<Result>(tenantId: string, upload: (hold: UploadPermit['hold']) => Promise<Result>): Promise<Result> {
    return this.queue.run(tenantId, async () => {
      const { hold, end } = this.counted(tenantId);
      try {
        return await upload(hold);
      } finally {
        end();
      }
    });
  }

  /**
   * Same as `run`, for an upload that is not one call: resolves when it may start. `key` is the tenant's ID, or the `publicKey`
   * of a stranger's address. Throws a 503 if too many uploads wait, or the wait is too long.
   */
  async begin(key: string): Promise<UploadPermit> {
    const leave = await this.queue.enterAndWait(key);
    const { hold, end } = this.counted(key);
    return {
      hold,
      end: () => {
        end();
        leave();
      },
    };
  }

  private counted(key: string): UploadPermit {
    let held = 0;
    return {
      hold: (bytes) => {
        if (!this.bytes.fits(key, bytes)) throw overloaded('The uploads in progress have too many bytes.');
        this.bytes.take(key, bytes);
        held += bytes;
      },
      end: () => {
        if (held > 0) this.bytes.give(key, held);
      },
    };
  }
}

function overloaded(detail: string): Problem {
  return Problem.unavailable(detail, 5);
}
