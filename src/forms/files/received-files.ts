import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SentFile } from '../../http/bodies/form-files.js';
import { newUuid } from '../../ids/type-id.js';
import type { PrivateFiles } from '../../media/files/private-files.js';
import type { FilesInProgress } from '../../media/uploads/upload-folder.js';
import type { Inspected } from './file-rules.js';

/** A file that arrived with a submission. */
export interface ReceivedFile extends Pick<SentFile, 'field' | 'size' | 'hash' | 'target'> {
  /** The clean name; empty if the file was sent without a name. */
  name: string;
  /** Undefined: the bytes were only read, or are too many. */
  inspected?: Inspected;
}

/** A file whose bytes are stored. */
export interface StoredFile {
  id: string;
  field: string;
  name: string;
  mimeType: string;
  size: number;
}

interface Parts {
  files: PrivateFiles;
  inProgress: FilesInProgress;
  /** Gives back what the upload was admitted with. */
  leave: () => void;
}

/** The files of one request, from their arrival to the commit of their submission. */
export class ReceivedFiles {
  private readonly stored = new Map<ReceivedFile, StoredFile>();
  private work: Promise<unknown> = Promise.resolve();
  private isCommitted = false;
  private isEnding = false;
  private isOver = false;

  constructor(
    private readonly tenantId: string,
    private readonly parts: Parts,
  ) {}

  /** Keeps the files until the end of work that uses them. */
  keepDuring<Result>(work: Promise<Result>): Promise<Result> {
    this.work = Promise.allSettled([this.work, work]);
    return work;
  }

  /** Stores the files, unless they are stored already. Throws a 507 or 503 if the storage fails. */
  async store(chosen: readonly ReceivedFile[]): Promise<StoredFile[]> {
    if (this.isOver) throw new Error('The files have been removed.');
    const missing = chosen.filter((file) => !this.stored.has(file));
    if (missing.length > 0) await this.keepDuring(this.storeNow(missing));
    return chosen.flatMap((file) => this.stored.get(file) ?? []);
  }

  private async storeNow(missing: readonly ReceivedFile[]): Promise<void> {
    const rows = missing.flatMap((file) => {
      const { field, name, size, inspected, target } = file;
      if (!inspected || !target) return [];
      return { file, path: target.path, row: { id: newUuid(), field, name, mimeType: inspected.mimeType, size } };
    });
    await this.parts.files.store(
      this.tenantId,
      rows.map(({ path, row: { id, mimeType } }) => ({ id, path, mimeType })),
    );
    for (const { file, row } of rows) this.stored.set(file, row);
  }

  /** Call this when the submission is committed with the files. */
  commit(): void {
    this.isCommitted = true;
  }

  /** Resolves when no work is left. The handler begins its own in the turn in which the files have arrived. */
  private async settled(): Promise<void> {
    for (let work: Promise<unknown> | undefined; work !== this.work;) {
      work = this.work;
      await work;
      await nextTurn();
    }
  }

  /**
   * Removes whatever did not become a part of a submission, after the work in progress: a form that has arrived is submitted, even if its
   * client does not wait for the answer. The sweeper removes what this cannot.
   */
  async end(): Promise<void> {
    if (this.isEnding) return;
    this.isEnding = true;
    try {
      await this.settled();
      this.isOver = true;
      await this.parts.inProgress.remove();
      const left = this.isCommitted ? [] : [...this.stored.values()].map(({ id }) => id);
      await this.parts.files.discard(this.tenantId, left).catch(() => undefined);
    } finally {
      this.parts.leave();
    }
  }
}
