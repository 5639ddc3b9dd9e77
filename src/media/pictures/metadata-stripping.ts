import { rename } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Problem } from '../../errors/problem.js';
import { Tenants } from '../../tenants/tenants.js';
import { readHead } from '../files/file-head.js';
import { isAnimatedAvif } from './image-types.js';
import { DRAWING_LIMITS } from './picture-limits.js';
import { PictureFault } from './picture-process.js';
import type { StrippedFormat } from './picture-task.js';
import { Pictures } from './pictures.js';
import { refusedFile } from '../files/refused-file.js';
import { UploadFolder } from '../uploads/upload-folder.js';

/** Image types that are encoded anew. An animated PNG is not among them, because the image library reads only its first image. */
const STRIPPED: Readonly<Record<string, StrippedFormat>> = {
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/tiff': 'tiff',
};

/** Image types that are stored as they were sent: no camera writes them. */
const AS_SENT = ['image/svg+xml', 'image/bmp', 'image/x-icon'];

/** An upload that was received. */
interface Received {
  path: string;
  mime: string;
  size: number;
}

/** Removes the metadata of uploaded images, for the tenants that are configured so (`media: {"strip_metadata": true}`). */
@Injectable()
export class MetadataStripping {
  constructor(
    private readonly config: Config,
    private readonly folder: UploadFolder,
    private readonly pictures: Pictures,
    private readonly tenants: Tenants,
  ) {}

  /**
   * Replaces the file at `path` by the image upright and without metadata, if the tenant wants that. Returns the size of what is there then.
   * `hold` counts its bytes. Throws a 422 for an image from which no metadata can be removed, and a 503 if too many images are waiting.
   */
  async apply(tenantId: string, { path, mime, size }: Received, hold: (bytes: number) => void): Promise<number> {
    const isWanted = this.tenants.find(tenantId)?.stripMetadata === true;
    if (!isWanted || !mime.startsWith('image/') || AS_SENT.includes(mime)) return size;
    const format = STRIPPED[mime];
    if (!format || isAnimatedAvif((await readHead(path)).head)) throw cannotStrip(mime);
    const { mediaMaxBytes: maxBytes } = this.config;
    return this.folder.withFile(async (target) => {
      const bytes = await this.pictures.drawing
        .run(turnOf(tenantId), (process) => process.strip({ source: path, target, format, maxBytes }, DRAWING_LIMITS))
        .catch((error: unknown) => {
          throw error instanceof PictureFault ? undrawable(error) : error;
        });
      if (bytes > maxBytes) {
        throw refusedFile(
          'too_large',
          `Without its metadata, the image would have ${bytes} bytes; it may have ${maxBytes}.`,
        );
      }
      hold(bytes);
      await rename(target, path);
      return bytes;
    });
  }
}

/** Uploads have turns of their own, so that visitors who request variants do not keep the tenant from uploading. */
function turnOf(tenantId: string): string {
  return `${tenantId}/uploads`;
}

function cannotStrip(mime: string): Problem {
  const types = Object.keys(STRIPPED).join(', ');
  return refusedFile(
    'metadata',
    `Images are stored without metadata here, which cannot be removed from this image (${mime}). It can be removed from ${types}, ` +
      'except for animated PNG and AVIF. Convert the image before you upload it, for example to JPEG.',
  );
}

function undrawable(cause: Error): Problem {
  const problem = refusedFile(
    'metadata',
    'Images are stored without metadata here, which cannot be removed from this image: it is damaged, or it takes too much work.',
  );
  problem.cause = cause;
  return problem;
}
