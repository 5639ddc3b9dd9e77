import { Injectable } from '@nestjs/common';
import { publicKey } from '../../admission/public-key.js';
import { Config } from '../../config/config.js';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import { Problem } from '../../errors/problem.js';
import type { Caller } from '../../http/caller.js';
import { formatId } from '../../ids/type-id.js';
import { mediaBytes } from '../../media/media-bytes.js';
import { PrivateFiles } from '../../media/files/private-files.js';
import type { ServedFile } from '../../media/files/served-file.js';
import { type Creation, Limits } from '../../tenants/limits.js';
import type { StoredFile } from './received-files.js';
import { ADD_FILES, GET_FILE } from './submission-files.sql.js';

/** The files of stored submissions. */
@Injectable()
export class SubmissionFiles {
  constructor(
    private readonly database: Database,
    private readonly files: PrivateFiles,
    private readonly limits: Limits,
    private readonly config: Config,
  ) {}

  /** Returns how many bytes of files the tenant may add. Infinity without a limit. */
  async room(tenantId: string): Promise<number> {
    return this.limits.room(this.creationOf(tenantId, 0));
  }

  /** A 403: there is no room for the files. */
  refusal(tenantId: string): Problem {
    return this.limits.reached(this.creationOf(tenantId, 0), 0);
  }

  /** Returns what files of a visitor add to what the tenant has. */
  creationsOf(tenantId: string, files: readonly StoredFile[]): Creation[] {
    return files.length === 0 ? [] : [this.creationOf(tenantId, bytesOf(files))];
  }

  /** Returns what files that the tenant imports add to what it has. */
  importsOf(tenantId: string, files: readonly StoredFile[]): Creation[] {
    return files.length === 0 ? [] : [this.importOf(tenantId, bytesOf(files))];
  }

  /** Throws a 403 if the tenant has no room for any file that it imports. */
  async assertRoom(tenantId: string): Promise<void> {
    await this.limits.assertRoom(this.importOf(tenantId, 1));
  }

  private importOf(tenantId: string, amount: number): Creation {
    return { tenantId, resource: mediaBytes(this.config.mediaMaxBytes), amount };
  }

  private creationOf(tenantId: string, amount: number): Creation {
    const resource = mediaBytes(this.config.mediaMaxBytes);
    return { tenantId, resource, amount, share: publicKey(tenantId), isPublic: true };
  }

  /** Adds stored files to a submission, in the transaction that writes it. Throws a 503 if they were stored too long ago. */
  async add(
    transaction: Transaction,
    tenantId: string,
    { formId, submissionId }: { formId: string; submissionId: string },
    files: readonly StoredFile[],
  ): Promise<void> {
    const [added] = await transaction.query(tenantId, ADD_FILES, {
      formId,
      submissionId,
      fileIds: files.map(({ id }) => id),
      fields: files.map(({ field }) => field),
      names: files.map(({ name }) => name),
      mimeTypes: files.map(({ mimeType }) => mimeType),
      sizes: files.map(({ size }) => size),
    });
    if (added?.files !== files.length) throw Problem.unavailable('The upload took too long.');
  }

  /** Returns a file for its download. Throws a 404. */
  async get({ tenantId }: Caller, formId: string, submissionId: string, id: string): Promise<ServedFile> {
    const [row] = await this.database.query(tenantId, GET_FILE, { formId, submissionId, id });
    if (!row) throw Problem.notFound('file');
    const { name, mimeType, size } = row;
    const open: ServedFile['open'] = (range) => this.files.open(id, range);
    return { etag: `"${formatId('fil', id)}"`, mimeType, filename: name, size, isPrivate: true, open };
  }
}

function bytesOf(files: readonly StoredFile[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}
