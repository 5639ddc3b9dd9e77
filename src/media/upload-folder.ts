import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { newUuid } from '../ids/type-id.js';
import { StorageHealth } from '../observability/storage-health.js';
import { isDiskFailure, problemOfDisk } from './storage-problem.js';

/** The local folder where files are as long as they are worked on; on the disk of the folder storage, so that they can be moved there. */
@Injectable()
export class UploadFolder {
  constructor(private readonly health: StorageHealth) {}

  /** Gives `work` a path that nobody else has; what is there afterwards is removed. A failure of the disk is 507 or 503. */
  async withFile<Result>(work: (path: string) => Promise<Result>): Promise<Result> {
    const path = join(this.health.folder, newUuid());
    try {
      await mkdir(this.health.folder, { recursive: true });
      return await work(path);
    } catch (error) {
      if (isDiskFailure(error)) this.health.failed(error);
      throw problemOfDisk(error) ?? error;
    } finally {
      // A disk that can't be written may refuse this too; the sweeper comes later.
      await rm(path, { force: true }).catch(() => undefined);
    }
  }

  /** Removes what a crash left behind: files that were last written before `date`. */
  async sweep(date: Date): Promise<void> {
    for (const name of await readdir(this.health.folder).catch(() => [])) {
      const path = join(this.health.folder, name);
      const file = await stat(path).catch(() => undefined);
      if (file && file.mtime < date) await rm(path, { force: true });
    }
  }
}
