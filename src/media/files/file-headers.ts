import { create as contentDisposition } from 'content-disposition';
import type { Response } from 'express';
import { cleanName } from './file-name.js';
import type { ByteRange } from '../storage/media-storage.js';
import type { ServedFile } from './served-file.js';

/** Types that a browser shows in place. None of them can run code. All other types are downloaded. */
const SHOWN = /^(?:image\/(?!svg\+xml)|audio\/|video\/|application\/(?:pdf|ogg)$)/;

/** Keeps a browser from running code in a file, even if it is made to show the file. */
const SANDBOX = "sandbox; default-src 'none'; style-src 'unsafe-inline'";

/** Sets the headers of a response with the file, or with the part of it that `range` names. */
export function setFileHeaders(
  response: Response,
  file: ServedFile,
  range: ByteRange | undefined,
  length: number,
): void {
  setHeaders(response, file);
  if (range) response.status(206).setHeader('Content-Range', `bytes ${range.start}-${range.end}/${file.size}`);
  response.setHeader('Content-Type', file.mimeType);
  response.setHeader('Content-Length', length);
}

/** Sets the headers of every response about the file, also of one without a body. */
export function setHeaders(response: Response, { etag, mimeType, filename, size, isPrivate }: ServedFile): void {
  const shown = !isPrivate && SHOWN.test(mimeType);
  response.setHeader('ETag', etag);
  response.setHeader('Cache-Control', isPrivate ? 'private, no-cache' : 'public, max-age=31536000, immutable');
  response.setHeader(
    'Content-Disposition',
    contentDisposition(cleanName(filename), { type: shown ? 'inline' : 'attachment' }),
  );
  if (!shown) response.setHeader('Content-Security-Policy', SANDBOX);
  if (size !== undefined) response.setHeader('Accept-Ranges', 'bytes');
  // The file is public, so sites of any origin may embed it. `Cors` lets them fetch it.
  if (!isPrivate) response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
}
