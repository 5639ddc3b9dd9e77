import type { IncomingMessage } from 'node:http';
import { basename } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import { FairQueue } from '../../admission/fair-queue.js';
import { Problem } from '../../errors/problem.js';
import { writeNewFile } from '../../http/bodies/new-file.js';
import { OutboundClient, type DownloadResult } from '../../outbound/outbound-client.js';
import { cleanName } from '../files/file-name.js';
import type { FetchMediaDto } from '../media.dto.js';
import { type ReceiveUpload, tooLarge } from './multipart.js';

/** Files that are fetched at once, for all tenants. They wait for other servers, so they have few of the places of uploads. */
const ADMISSION = { concurrency: 16, maxWaiting: 64, waitMs: 20_000 };

const MIB = 1024 * 1024;
/** A file may take this long, and a second more for each MiB that it may have. */
const FETCH_MS = 20_000;

/** Fetches files that a request names by their URL. */
@Injectable()
export class FetchedUpload {
  private readonly queue = new FairQueue({
    ...ADMISSION,
    refusal: () => Problem.unavailable('Too many files are being fetched.', 5),
  });

  constructor(private readonly outbound: OutboundClient) {}

  /** Runs the upload of a file when it is the tenant's turn. Throws a 422 for a URL that is not allowed, and a 503 if too many wait. */
  async run<Result>(
    tenantId: string,
    dto: FetchMediaDto,
    upload: (receive: ReceiveUpload) => Promise<Result>,
  ): Promise<Result> {
    const wrong = this.outbound.checkTarget(dto.url);
    if (wrong !== undefined) throw refusedUrl('url', wrong);
    return this.queue.run(tenantId, () => upload(this.receiving(dto)));
  }

  private receiving({ url, alt = '' }: FetchMediaDto): ReceiveUpload {
    return async (path, { maxBytes, hold }) => {
      const file = new FileInProgress(path, maxBytes, hold);
      const timeoutMs = FETCH_MS + Math.ceil(maxBytes / MIB) * 1_000;
      const result = await this.outbound.download(url, { timeoutMs, receive: (body) => file.write(body) });
      file.throwOwnError();
      assertFetched(result);
      if (file.size === 0) throw refusedUrl('empty', 'The file at the URL is empty.');
      return { filename: nameOf(result.url), size: file.size, alt, errors: [] };
    };
  }
}

/** The file that is being fetched. It tells its own errors from those of the other server. */
class FileInProgress {
  size = 0;
  private ownError: Error | undefined;

  constructor(
    private readonly path: string,
    private readonly maxBytes: number,
    private readonly hold: (bytes: number) => void,
  ) {}

  async write(body: IncomingMessage): Promise<void> {
    if (Number(body.headers['content-length'] ?? 0) > this.maxBytes) throw this.own(tooLarge(this.maxBytes));
    const counter = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        try {
          this.count(chunk.length);
          done(null, chunk);
        } catch (error) {
          done(this.own(error));
        }
      },
    });
    await writeNewFile(this.path, (target) => {
      // An interrupted body ends the file with its own error.
      target.once('error', (error) => {
        if (!body.errored) this.own(error);
      });
      return pipeline(body, counter, target);
    });
  }

  throwOwnError(): void {
    if (this.ownError !== undefined) throw this.ownError;
  }

  private count(bytes: number): void {
    this.size += bytes;
    if (this.size > this.maxBytes) throw tooLarge(this.maxBytes);
    this.hold(bytes);
  }

  private own(error: unknown): Error {
    this.ownError ??= error as Error;
    return error as Error;
  }
}

function assertFetched({ status, error, message = '' }: DownloadResult): void {
  if (error !== undefined) throw refusedUrl('url', `The file could not be fetched. ${message}`);
  if (status === 200) return;
  throw refusedUrl('url', `The file could not be fetched: the server answered with the status ${status}.`);
}

/** The last part of the path, decoded if that is possible. */
function nameOf(url: string): string {
  const name = basename(new URL(url).pathname);
  try {
    return cleanName(decodeURIComponent(name));
  } catch {
    return cleanName(name);
  }
}

function refusedUrl(code: 'url' | 'empty', message: string): Problem {
  return Problem.invalid([{ path: 'url', code, message }]);
}
