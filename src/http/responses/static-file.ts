import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { hasRoute } from '../has-route.js';

export type Encoding = 'br' | 'gzip';

/** Quality 9: quality 11 takes twenty times as long and saves a tenth. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

const compress: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, BROTLI),
  gzip: (bytes) => promisify(gzip)(bytes),
};

/**
 * A file in memory that is sent with `Content-Encoding`. It is compressed once, when the first client accepts the encoding, unless it came
 * `compressed`.
 */
export class StaticFile {
  /** Differs for other contents, so that it can be part of a URL. */
  readonly hash: string;
  private readonly bytes: Buffer;
  private readonly compressed: Map<Encoding, Promise<Buffer>>;

  constructor(
    private readonly type: string,
    content: Buffer | string,
    compressed: readonly (readonly [Encoding, Buffer])[] = [],
  ) {
    this.bytes = Buffer.from(content);
    this.compressed = new Map(compressed.map(([encoding, bytes]) => [encoding, Promise.resolve(bytes)]));
    this.hash = createHash('sha256').update(this.bytes).digest('hex').slice(0, 16);
  }

  /** Sends the file, or 304 if the client has it. `cacheControl` says for how long a cache keeps it. */
  async send(request: Request, response: Response, cacheControl: string): Promise<void> {
    const etag = `W/"${this.hash}"`;
    response.setHeader('Cache-Control', cacheControl);
    response.setHeader('ETag', etag);
    response.vary('Accept-Encoding');
    if (hasRoute(request.get('If-None-Match'), etag)) {
      response.statusCode = 304;
      response.end();
      return;
    }
    const encoding = (['br', 'gzip'] as const).find((each) => request.acceptsEncodings(each));
    const body = encoding ? await this.encoded(encoding) : this.bytes;
    if (encoding) response.setHeader('Content-Encoding', encoding);
    response.setHeader('Content-Type', this.type);
    response.setHeader('Content-Length', body.length);
    response.end(body);
  }

  private encoded(encoding: Encoding): Promise<Buffer> {
    const known = this.compressed.get(encoding) ?? compress[encoding](this.bytes);
    this.compressed.set(encoding, known);
    return known;
  }
}
