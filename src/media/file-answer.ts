import { pipeline } from 'node:stream/promises';
import { create as contentDisposition } from 'content-disposition';
import type { Request, Response } from 'express';
import type { ByteRange, StoredBytes } from './media-storage.js';

/** What is about to be served. */
export interface ServedFile {
  /** Never changes without the ETag changing. */
  etag: string;
  mimeType: string;
  filename: string;
  /** In bytes, where it is known beforehand: then ranges can be had. */
  size?: number;
  open(range?: ByteRange): Promise<StoredBytes>;
}

/** Shown in place by a browser; everything else is to be saved. None of these runs anything. */
const SHOWN = /^(?:image\/(?!svg\+xml)|audio\/|video\/|application\/(?:pdf|ogg)$)/;

/** What keeps a browser from running any of it, even if somebody gets it to show the file after all. */
const SANDBOX = "sandbox; default-src 'none'; style-src 'unsafe-inline'";

/** Answers with the file, a part of it, or 304; `HEAD` with the headers alone. */
export async function answerFile(request: Request, response: Response, file: ServedFile): Promise<void> {
  const known = isKnown(request.headers['if-none-match'], file.etag);
  const range = known ? undefined : rangeOf(request, file);
  if (range === 'unsatisfiable') {
    response.writeHead(416, { 'Content-Range': `bytes */${file.size}`, 'Content-Length': 0 }).end();
    return;
  }
  // Whatever fails does so before the headers of success are set.
  const bytes = known || (request.method === 'HEAD' && file.size !== undefined) ? undefined : await file.open(range);
  setHeaders(response, file);
  if (known) {
    response.status(304).end();
    return;
  }
  if (range) response.status(206).setHeader('Content-Range', `bytes ${range.start}-${range.end}/${file.size}`);
  response.setHeader('Content-Type', file.mimeType);
  response.setHeader('Content-Length', bytes?.length ?? lengthOf(range, file.size ?? 0));
  if (!bytes || request.method === 'HEAD') {
    bytes?.stream.destroy();
    response.end();
    return;
  }
  // A client that goes away, or a storage that breaks off, ends the answer; there is nobody to tell.
  await pipeline(bytes.stream, response).catch(() => undefined);
}

function setHeaders(response: Response, { etag, mimeType, filename, size }: ServedFile): void {
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

/** The one range that is asked for. Several at once, and what can't be read, are answered with the whole file (RFC 9110, 14.2). */
function rangeOf(request: Request, { size, etag }: ServedFile): ByteRange | 'unsatisfiable' | undefined {
  const { range = '', 'if-range': ifRange } = request.headers;
  if (size === undefined || (ifRange !== undefined && ifRange !== etag)) return undefined;
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') return Number(last) === 0 ? 'unsatisfiable' : rangeFrom(Math.max(0, size - Number(last)), size);
  if (last !== '' && Number(last) < Number(first)) return undefined;
  if (Number(first) >= size) return 'unsatisfiable';
  return rangeFrom(Number(first), last === '' ? size : Math.min(Number(last) + 1, size));
}

function rangeFrom(start: number, beyond: number): ByteRange {
  return { start, end: beyond - 1 };
}

function lengthOf(range: ByteRange | undefined, size: number): number {
  return range ? range.end - range.start + 1 : size;
}

function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const known: string[] = ifNoneMatch.match(/"[^"]*"/g) ?? [];
  return ifNoneMatch.trim() === '*' || known.includes(etag);
}
