import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { newUuid } from '../ids/type-id.js';

/** More than a file system can still store on a full disk. */
const PROBE_BYTES = 65_536;

/** Tracks whether files can be written where uploads arrive. */
@Injectable()
export class StorageHealth {
  /** The local directory of files that are being processed, on the disk of stored media. */
  readonly folder: string;
  private failure?: Error;

  constructor({ dataDir }: Config) {
    this.folder = join(dataDir, 'media-incoming');
  }

  /** The last failure to write, unless a later probe succeeded. */
  get lastFailure(): Error | undefined {
    return this.failure;
  }

  /** Records that the disk could not be written: it is full, read-only or broken. */
  failed(error: Error): void {
    this.failure = error;
  }

  /** Writes and removes a small file. Rejects with the system error if that fails. Clears the last failure if it succeeds. */
  async probe(): Promise<void> {
    const path = join(this.folder, `probe-${newUuid()}`);
    try {
      await mkdir(this.folder, { recursive: true });
      await writeFile(path, Buffer.alloc(PROBE_BYTES, 1), { flush: true, mode: 0o600 });
      this.failure = undefined;
    } catch (error) {
      this.failed(error as Error);
      throw error;
    } finally {
      await rm(path, { force: true }).catch(() => undefined);
    }
  }
}
