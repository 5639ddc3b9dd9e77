import { Injectable } from '@nestjs/common';
import { auditOf } from '../../audit/record-changes.js';
import type { Caller } from '../../http/caller.js';
import { Config } from '../../config/config.js';
import { Database } from '../../database/database.js';
import { Problem } from '../../errors/problem.js';
import { listed } from '../../validation/suggestion.js';
import type { EventType } from '../../modules/module-manifest.js';
import { newUuid, timeOf } from '../../ids/type-id.js';
import { type Creation, Limits } from '../../tenants/limits.js';
import { DEFAULT_TYPES, isAllowed } from '../files/allowed-types.js';
import { dimensionsOf } from '../pictures/dimensions.js';
import type { Dimensions } from '../pictures/picture-task.js';
import { fileTypeOf } from '../files/file-type.js';
import { UploadFolder } from './upload-folder.js';
import { mediaBytes } from '../media-bytes.js';
import { MediaPresenter } from '../media-presenter.js';
import { mediaResource } from '../media.service.js';
import { ANNOUNCE, CREATE_MEDIA, FORGET_ORPHAN, type MediaRow } from '../media.sql.js';
import { keyOf, MediaStorage } from '../storage/media-storage.js';
import { mediaVector } from '../lists/media-search.js';
import { MetadataStripping } from '../pictures/metadata-stripping.js';
import { FetchedUpload } from './fetched-upload.js';
import type { ReceiveUpload } from './multipart.js';
import type { UploadBody } from './upload-body.js';
import { MAX_PIXELS } from '../pictures/picture-limits.js';
import { PictureFault } from '../pictures/picture-process.js';
import { Pictures } from '../pictures/pictures.js';
import { refusedFile } from '../files/refused-file.js';
import type { FileType } from '../files/text-type.js';
import { UploadAdmission } from './upload-admission.js';

/** Uploads files: receives and inspects each one, stores its bytes, and then creates its row, which makes it visible. */
@Injectable()
export class UploadsService {
  constructor(
    private readonly admission: UploadAdmission,
    private readonly config: Config,
    private readonly database: Database,
    private readonly fetched: FetchedUpload,
    private readonly folder: UploadFolder,
    private readonly limits: Limits,
    private readonly pictures: Pictures,
    private readonly presenter: MediaPresenter,
    private readonly storage: MediaStorage,
    private readonly stripping: MetadataStripping,
  ) {}

  /**
   * Throws a 400, 413 or 415 for the body, a 422 for its content or for a URL that cannot be fetched, a 403 if the tenant's limit is reached, a 507 or 503 if the file cannot
   * be stored, and a 503 if the tenant has too many uploads in progress. The upload or the sweeper then removes the bytes.
   */
  async upload(caller: Caller, body: UploadBody): Promise<MediaRow> {
    const { tenantId } = caller;
    // Every file has at least one byte. So a tenant without room does not send a file for nothing.
    await this.limits.assertRoom(this.creationOf(tenantId, 1));
    if (body.receive) return this.uploadFrom(caller, body.receive);
    return this.fetched.run(tenantId, body.from, (receive) => this.uploadFrom(caller, receive));
  }

  private uploadFrom(caller: Caller, receive: ReceiveUpload): Promise<MediaRow> {
    const { tenantId } = caller;
    return this.admission.run(tenantId, (hold) =>
      this.folder.withFile(async (path) => {
        const row = await this.receive(tenantId, receive, { path, hold });
        await this.store(tenantId, row, path);
        try {
          await this.create(caller, row);
        } catch (error) {
          if (error instanceof Problem && error.code === 'limit_reached') await this.remove(tenantId, row.id);
          throw error;
        }
        return row;
      }),
    );
  }

  private async receive(
    tenantId: string,
    receive: ReceiveUpload,
    { path, hold }: { path: string; hold: (bytes: number) => void },
  ): Promise<MediaRow> {
    const maxBytes = this.config.mediaMaxBytes;
    const { filename, size: sent, alt, errors } = await receive(path, { maxBytes, hold });
    if (errors.length > 0) throw Problem.invalid(errors);
    await this.limits.assertRoom(this.creationOf(tenantId, sent));
    const { type, dimensions } = await this.inspect(tenantId, path, filename);
    const size = await this.stripping.apply(tenantId, { path, mime: type.mime, size: sent }, hold);
    const id = newUuid();
    return {
      id,
      filename,
      alt,
      mimeType: type.mime,
      extension: type.ext,
      size,
      width: dimensions?.width ?? null,
      height: dimensions?.height ?? null,
      createdAt: timeOf(id).toISOString(),
    };
  }

  private creationOf(tenantId: string, amount: number): Creation {
    return { tenantId, resource: mediaBytes(this.config.mediaMaxBytes), amount };
  }

  private async inspect(
    tenantId: string,
    path: string,
    filename: string,
  ): Promise<{ type: FileType; dimensions?: Dimensions }> {
    const type = await fileTypeOf(path, filename);
    const allowed = this.config.mediaTypes ?? DEFAULT_TYPES;
    if (!type || !isAllowed(type.mime, allowed)) {
      const files = type ? `Files of the type ${type.mime}` : 'Files of this type';
      throw refusedFile('media_type', `${files} are not allowed. The allowed types are ${listed(allowed)}.`);
    }
    let dimensions: Dimensions | undefined;
    try {
      dimensions = await dimensionsOf(this.pictures, tenantId, { path, mime: type.mime });
    } catch (error) {
      if (!(error instanceof PictureFault)) throw error;
      throw refusedFile('damaged', `The file begins like ${type.mime}, but it is not a valid file of that type.`);
    }
    if (dimensions && dimensions.width * dimensions.height > MAX_PIXELS) {
      throw refusedFile('too_many_pixels', `An image must have at most ${MAX_PIXELS} pixels.`);
    }
    return { type, dimensions };
  }

  /** Announces the bytes before it writes them, so that the sweeper finds them if a later step fails. */
  private async store(tenantId: string, { id, mimeType }: MediaRow, path: string): Promise<void> {
    await this.database.query(tenantId, ANNOUNCE, { ids: [id], since: new Date() });
    try {
      await this.storage.put(keyOf(id), path, mimeType);
    } catch (error) {
      await this.remove(tenantId, id);
      throw error;
    }
  }

  /** Removes the bytes of a file that has no row. If this fails, the sweeper removes them. */
  private async remove(tenantId: string, id: string): Promise<void> {
    await this.storage
      .remove([keyOf(id)])
      .then(() => this.database.query(tenantId, FORGET_ORPHAN, { id }))
      .catch(() => undefined);
  }

  /**
   * If this fails, the row may still have been committed, unless the limit is reached. The bytes are therefore left to the sweeper, which
   * checks that.
   */
  private async create(caller: Caller, row: MediaRow): Promise<void> {
    const { tenantId } = caller;
    const { createdAt, size, ...columns } = row;
    const events: EventType[] = ['media.uploaded'];
    const executor = this.limits.executor(this.creationOf(tenantId, size));
    const created = await executor.query(tenantId, CREATE_MEDIA, {
      ...columns,
      sizeBytes: size,
      search: mediaVector(tenantId, row),
      eventIds: events.map(newUuid),
      eventTypes: events,
      eventData: this.presenter.eventData(tenantId, row),
      at: createdAt,
      audit: auditOf(caller, { action: 'uploaded', resource: mediaResource(row.id) }),
    });
    if (created.length === 0) throw Problem.unavailable('The upload took too long.');
  }
}
