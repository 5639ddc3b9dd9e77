import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { newUuid } from '../../ids/type-id.js';
import { StorageHealth } from '../../observability/storage-health.js';
import { isDiskFailure, problemOfDisk } from '../storage/storage-problem.js';

/** The files that one request has in progress. */
export class FilesInProgress {
  private readonly paths: string[] = [];

  constructor(private readonly folder: string) {}

  /** Returns a path without a file. */
  newPath(): string {
    const path = join(this.folder, newUuid());
    this.paths.push(path);
    return path;
  }

  async remove(): Promise<void> {
    // A disk that is not writable may refuse this too. The sweeper removes the files later.
    for (const path of this.paths) await rm(path, { force: true }).catch(() => undefined);
  }
}

/** The local folder for files in progress. It is on the disk of the folder storage, so that files can be moved there. */
@Injectable()
export class UploadFolder {
  constructor(private readonly health: StorageHealth) {}

  /** Runs `work` with a unique path, and removes the file at this path afterwards. Throws a 507 or 503 if the disk fails. */
  async withFile<Result>(work: (path: string) => Promise<Result>): Promise<Result> {
    const files = await this.open();
    try {
      return await this.onDisk(() => work(files.newPath()));
    } finally {
      await files.remove();
    }
  }

  /** The caller must remove the files, and write them within `onDisk`. Throws a 507 or 503 if the disk fails. */
  async open(): Promise<FilesInProgress> {
    await this.onDisk(() => mkdir(this.health.folder, { recursive: true }));
    return new FilesInProgress(this.health.folder);
  }

  /** Runs work that writes to the folder. Throws a 507 or 503 if the disk fails. */
  async onDisk<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (isDiskFailure(error)) this.health.failed(error);
      throw problemOfDisk(error) ?? error;
    }
  }

  /** Removes files that a crash left behind: those that were last written before `date`. */
  async sweep(date: Date): Promise<void> {
    for (const name of await readdir(this.health.folder).catch(() => [])) {
      const path = join(this.health.folder, name);
      const file = await stat(path).catch(() => undefined);
      if (file && file.mtime < date) await rm(path, { force: true });
    }
  }
}
