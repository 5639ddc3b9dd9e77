import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { newUuid } from '../ids/type-id.js';

/** The local folder where files are as long as they are worked on; on the disk of the folder storage, so that they can be moved there. */
@Injectable()
export class Incoming {
  private readonly folder: string;

  constructor({ dataDir }: Config) {
    this.folder = join(dataDir, 'media-incoming');
  }

  /** Gives `work` a path that nobody else has; what is there afterwards is removed. */
  async withFile<Result>(work: (path: string) => Promise<Result>): Promise<Result> {
    await mkdir(this.folder, { recursive: true });
    const path = join(this.folder, newUuid());
    try {
      return await work(path);
    } finally {
      await rm(path, { force: true });
    }
  }

  /** Removes what a crash left behind: files that were last written before `date`. */
  async sweep(date: Date): Promise<void> {
    for (const name of await readdir(this.folder).catch(() => [])) {
      const path = join(this.folder, name);
      const file = await stat(path).catch(() => undefined);
      if (file && file.mtime < date) await rm(path, { force: true });
    }
  }
}
