import { create as contentDisposition } from 'content-disposition';
import type { Response } from 'express';
import type { ByteRange } from './media-storage.js';
import type { ServedFile } from './served-file.js';

/** Shown in place by a browser; everything else is to be saved. None of these runs anything. */
const SHOWN = /^(?:image\/(?!svg\+xml)|audio\/|video\/|application\/(?:pdf|ogg)$)/;

/** What keeps a browser from running any of it, even if somebody gets it to show the file after all. */
const SANDBOX = "sandbox; default-src 'none'; style-src 'unsafe-inline'";

/** Headers of an answer with the file, or the part of it that `range` names. */
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

/** Headers of every answer about the file, also one without a body. */
export function setHeaders(response: Response, { etag, mimeType, filename, size }: ServedFile): void {
  const shown = SHOWN.test(mimeType);
  response.setHeader('ETag', etag);
  response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
  response.setHeader(
    'Content-Disposition',
    contentDisposition(plainName(filename), { type: shown ? 'inline' : 'attachment' }),
  );
  if (!shown) response.setHeader('Content-Security-Policy', SANDBOX);
  if (size !== undefined) response.setHeader('Accept-Ranges', 'bytes');
  // Sites of any origin embed and fetch what is public anyway.
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
}

/** A name for saving the file: no control characters, no folders, and not longer than a file system takes. */
function plainName(filename: string): string {
  const [stem, extension] = splitExtension(filename.replace(/[\p{Cc}\p{Cf}/\\]/gu, '_'));
  return [...stem].slice(0, 150).join('') + extension;
}

function splitExtension(name: string): [stem: string, extension: string] {
  const [extension = ''] = /\.[A-Za-z0-9]{1,10}$/.exec(name) ?? [];
  return [name.slice(0, name.length - extension.length), extension];
}
