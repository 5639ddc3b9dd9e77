import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Caller } from '../access/caller.js';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { Problem, type ValueError } from '../errors/problem.js';
import { EventRecorder } from '../events/event-recorder.js';
import type { EventType } from '../events/event-types.js';
import { newUuid, timeOf } from '../ids/type-id.js';
import { isAllowed } from './allowed-types.js';
import { type Dimensions, dimensionsOf } from './dimensions.js';
import { fileTypeOf } from './file-type.js';
import { Incoming } from './incoming.js';
import { MediaPresenter } from './media-presenter.js';
import { ANNOUNCE, CREATE_MEDIA, FORGET_STRAY, type MediaRow } from './media.sql.js';
import { keyOf, MediaStorage } from './media-storage.js';
import { mediaVector } from './media-search.js';
import { receiveUpload } from './multipart.js';
import { MAX_PIXELS } from './picture-limits.js';
import { PictureFault } from './picture-process.js';
import { Pictures } from './pictures.js';
import type { FileType } from './text-type.js';
import { UploadAdmission } from './upload-admission.js';

/** Takes files in: received, looked at, stored, and only then visible. */
@Injectable()
export class UploadsService {
  constructor(
    private readonly admission: UploadAdmission,
    private readonly config: Config,
    private readonly database: Database,
    private readonly events: EventRecorder,
    private readonly incoming: Incoming,
    private readonly pictures: Pictures,
    private readonly presenter: MediaPresenter,
    private readonly storage: MediaStorage,
  ) {}

  /**
   * Throws 400, 413 or 415 for the body, 422 for what is in it, 507 or 503 when the file can't be stored, 503 when the tenant has too
   * many uploads under way. Nothing of the upload is left then.
   */
  async upload({ tenantId }: Caller, request: Request): Promise<MediaRow> {
    return this.admission.run(tenantId, (hold) =>
      this.incoming.withFile(async (path) => {
        const row = await this.receive(tenantId, request, { path, hold });
        await this.store(tenantId, row, path);
        await this.create(tenantId, row);
        return row;
      }),
    );
  }

  private async receive(
    tenantId: string,
    request: Request,
    { path, hold }: { path: string; hold: (bytes: number) => void },
  ): Promise<MediaRow> {
    const maxBytes = this.config.mediaMaxBytes;
    const { filename, size, alt, errors } = await receiveUpload(request, path, { maxBytes, hold });
    if (errors.length > 0) throw Problem.invalid(errors);
    const { type, dimensions } = await this.inspect(tenantId, path, filename);
    const id = newUuid();
    return {
      id,
      filename,
      alt,
      mime_type: type.mime,
      extension: type.ext,
      size,
      width: dimensions?.width ?? null,
      height: dimensions?.height ?? null,
      created_at: timeOf(id).toISOString(),
    };
  }

  private async inspect(
    tenantId: string,
    path: string,
    filename: string,
  ): Promise<{ type: FileType; dimensions?: Dimensions }> {
    const type = await fileTypeOf(path, filename);
    if (!type || !isAllowed(type.mime, this.config.mediaTypes)) {
      throw refused('media_type', `Files of the type ${type?.mime ?? 'that this one has'} may not be uploaded.`);
    }
    let dimensions: Dimensions | undefined;
    try {
      dimensions = await dimensionsOf(this.pictures, tenantId, { path, mime: type.mime });
    } catch (error) {
      if (!(error instanceof PictureFault)) throw error;
      throw refused('damaged', `The file begins like ${type.mime}, but is none.`);
    }
    if (dimensions && dimensions.width * dimensions.height > MAX_PIXELS) {
      throw refused('too_many_pixels', `An image may have at most ${MAX_PIXELS} pixels.`);
    }
    return { type, dimensions };
  }

  /** The bytes are announced before they are written: whatever goes wrong from here on, the sweeper knows of them. */
  private async store(tenantId: string, { id, mime_type }: MediaRow, path: string): Promise<void> {
    await this.database.query(tenantId, ANNOUNCE, [id, new Date()]);
    try {
      await this.storage.put(keyOf(id), path, mime_type);
    } catch (error) {
      await this.storage
        .remove([keyOf(id)])
        .then(() => this.database.query(tenantId, FORGET_STRAY, [id]))
        .catch(() => undefined);
      throw error;
    }
  }

  /** When this fails nobody knows whether it was committed: the bytes are left to the sweeper, which finds out. */
  private async create(tenantId: string, row: MediaRow): Promise<void> {
    const { id, filename, alt, mime_type, extension, size, width, height, created_at } = row;
    const events: EventType[] = ['media.uploaded'];
    const created = await this.database.query(tenantId, CREATE_MEDIA, [
      ...[id, filename, alt, mime_type, extension, size, width, height, mediaVector(tenantId, row), created_at],
      ...[events.map(newUuid), events, JSON.stringify(this.presenter.present(tenantId, row))],
    ]);
    if (created.length === 0) throw new Problem('unavailable', 'The upload took too long.');
    this.events.committed(tenantId);
  }
}

function refused(code: string, message: string): Problem {
  const error: ValueError = { path: 'file', code, message };
  return Problem.invalid([error]);
}
