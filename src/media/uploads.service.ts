import { Injectable } from '@nestjs/common';
import type { Caller } from '../http/caller.js';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { Problem, type ValueError } from '../errors/problem.js';
import type { EventType } from '../rooms/room.js';
import { newUuid, timeOf } from '../ids/type-id.js';
import { isAllowed } from './allowed-types.js';
import { dimensionsOf } from './dimensions.js';
import type { Dimensions } from './picture-task.js';
import { fileTypeOf } from './file-type.js';
import { UploadFolder } from './upload-folder.js';
import { MediaPresenter } from './media-presenter.js';
import { ANNOUNCE, CREATE_MEDIA, FORGET_ORPHAN, type MediaRow } from './media.sql.js';
import { keyOf, MediaStorage } from './media-storage.js';
import { mediaVector } from './media-search.js';
import type { ReceiveUpload } from './multipart.js';
import { MAX_PIXELS } from './picture-limits.js';
import { PictureFault } from './picture-process.js';
import { Pictures } from './pictures.js';
import type { FileType } from './text-type.js';
import { UploadAdmission } from './upload-admission.js';

/** Uploads files: receives and inspects each one, stores its bytes, and then creates its row, which makes it visible. */
@Injectable()
export class UploadsService {
  constructor(
    private readonly admission: UploadAdmission,
    private readonly config: Config,
    private readonly database: Database,
    private readonly folder: UploadFolder,
    private readonly pictures: Pictures,
    private readonly presenter: MediaPresenter,
    private readonly storage: MediaStorage,
  ) {}

  /**
   * Throws a 400, 413 or 415 for the body, a 422 for its content, a 507 or 503 if the file cannot be stored, and a 503 if the tenant has
   * too many uploads in progress. The upload or the sweeper then removes the bytes.
   */
  async upload({ tenantId }: Caller, receive: ReceiveUpload): Promise<MediaRow> {
    return this.admission.run(tenantId, (hold) =>
      this.folder.withFile(async (path) => {
        const row = await this.receive(tenantId, receive, { path, hold });
        await this.store(tenantId, row, path);
        await this.create(tenantId, row);
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
    const { filename, size, alt, errors } = await receive(path, { maxBytes, hold });
    if (errors.length > 0) throw Problem.invalid(errors);
    const { type, dimensions } = await this.inspect(tenantId, path, filename);
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

  private async inspect(
    tenantId: string,
    path: string,
    filename: string,
  ): Promise<{ type: FileType; dimensions?: Dimensions }> {
    const type = await fileTypeOf(path, filename);
    if (!type || !isAllowed(type.mime, this.config.mediaTypes)) {
      throw refused('media_type', `Files of ${type ? `the type ${type.mime}` : 'this type'} are not allowed.`);
    }
    let dimensions: Dimensions | undefined;
    try {
      dimensions = await dimensionsOf(this.pictures, tenantId, { path, mime: type.mime });
    } catch (error) {
      if (!(error instanceof PictureFault)) throw error;
      throw refused('damaged', `The file begins like ${type.mime}, but it is not a valid file of that type.`);
    }
    if (dimensions && dimensions.width * dimensions.height > MAX_PIXELS) {
      throw refused('too_many_pixels', `An image must have at most ${MAX_PIXELS} pixels.`);
    }
    return { type, dimensions };
  }

  /** Announces the bytes before it writes them, so that the sweeper finds them if a later step fails. */
  private async store(tenantId: string, { id, mimeType }: MediaRow, path: string): Promise<void> {
    await this.database.query(tenantId, ANNOUNCE, { ids: [id], since: new Date() });
    try {
      await this.storage.put(keyOf(id), path, mimeType);
    } catch (error) {
      await this.storage
        .remove([keyOf(id)])
        .then(() => this.database.query(tenantId, FORGET_ORPHAN, { id }))
        .catch(() => undefined);
      throw error;
    }
  }

  /** If this fails, the row may still have been committed. The bytes are therefore left to the sweeper, which checks that. */
  private async create(tenantId: string, row: MediaRow): Promise<void> {
    const { createdAt, size, ...columns } = row;
    const events: EventType[] = ['media.uploaded'];
    const created = await this.database.query(tenantId, CREATE_MEDIA, {
      ...columns,
      sizeBytes: size,
      search: mediaVector(tenantId, row),
      eventIds: events.map(newUuid),
      eventTypes: events,
      eventData: JSON.stringify(this.presenter.present(tenantId, row)),
      at: createdAt,
    });
    if (created.length === 0) throw Problem.unavailable('The upload took too long.');
  }
}

function refused(code: string, message: string): Problem {
  const error: ValueError = { path: 'file', code, message };
  return Problem.invalid([error]);
}
