import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { newUuid } from '../ids/type-id.js';

/** More than a file system can still find room for on a full disk. */
const PROBE_BYTES = 65_536;

/** Whether files can be written where uploads arrive. */
@Injectable()
export class StorageHealth {
  /** The local folder of files that are being worked on, on the disk of stored media. */
  readonly folder: string;
  private failure?: Error;

  constructor({ dataDir }: Config) {
    this.folder = join(dataDir, 'media-incoming');
  }

  /** The last failure to write that no later probe disproved. */
  get lastFailure(): Error | undefined {
    return this.failure;
  }

  /** Records that the disk refused to be written: it is full, read-only or broken. */
  failed(error: Error): void {
    this.failure = error;
  }

  /** Writes a small file and removes it. Rejects with the system error when that fails; forgets the last failure when it succeeds. */
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
