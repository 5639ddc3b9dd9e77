import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import type { Request } from 'express';
import { Problem, type ValueError } from '../errors/problem.js';
import { countCodePoints, shorten } from '../fields/text.js';
import { faultOfText } from '../http/storable-values.js';
import { MAX_ALT } from './media.dto.js';

/** What a multipart body held: the file is at the path that was given, everything else is here. */
export interface ReceivedUpload {
  filename: string;
  size: number;
  alt: string;
  /** All that is wrong with the parts; the file may be missing then. */
  errors: ValueError[];
}

const MAX_FILENAME = 1_000;
/** Headers and boundaries of the parts, and the alternative text. */
const OVERHEAD = 64 * 1024;
const FIELD_BYTES = 16 * 1024;

export interface ReceiveOptions {
  maxBytes: number;
  /** Called with the bytes of each piece that arrives; what it throws ends the upload. */
  hold: (bytes: number) => void;
}

/** Receives one upload, its file at `path`. Throws as `receiveUpload` does. */
export type ReceiveUpload = (path: string, options: ReceiveOptions) => Promise<ReceivedUpload>;

/**
 * Streams the body's one file to `path`, holding none of it. Throws 400 when the body is malformed or breaks off, 413 when the file is
 * larger than `maxBytes`, 415 when it isn't multipart, and the system error when the disk fails. The caller removes the file in any case.
 */
export async function receiveUpload(request: Request, path: string, options: ReceiveOptions): Promise<ReceivedUpload> {
  const { maxBytes } = options;
  const contentType = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*(;|$)/i.test(contentType)) {
    throw new Problem('unsupported_media_type', 'Send the file as multipart/form-data, in a part named file.');
  }
  if (Number(request.headers['content-length'] ?? 0) > maxBytes + OVERHEAD) throw tooLarge(maxBytes);
  const upload = new Upload(path, options);
  let parser: BusboyInstance;
  try {
    parser = new Busboy({
      headers: { ...request.headers, 'content-type': contentType },
      limits: { fileSize: maxBytes, fieldSize: FIELD_BYTES, parts: 20, headerPairs: 50, headerSize: 16 * 1024 },
      // The name is data: what looks like a path in it stays.
      preservePath: true,
    });
  } catch {
    throw malformed();
  }
  await upload.read(request, parser);
  return upload.result();
}

class Upload {
  private readonly errors: ValueError[] = [];
  private received = 0;
  private alt?: string;
  private file?: { filename: string; stream: BusboyFileStream; written: Promise<void> };

  constructor(
    private readonly path: string,
    private readonly options: ReceiveOptions,
  ) {}

  async read(request: Request, parser: BusboyInstance): Promise<void> {
    let fail: (error: Error) => void = () => undefined;
    // Parts that are not asked for count too, or a body could have no end.
    const count = (chunk: Buffer) => {
      try {
        this.count(chunk.length);
      } catch (error) {
        fail(error as Error);
      }
    };
    try {
      // If the client went while the upload waited for its turn, no further event would say so.
      if (request.destroyed) throw malformed();
      await new Promise<void>((resolve, reject) => {
        fail = reject;
        request.on('data', count);
        parser.on('file', (name, stream, filename) => this.takeFile(name, stream, filename, reject));
        parser.on('field', (name, value, _nameCut, valueCut) => this.takeField(name, value, valueCut));
        parser.on('partsLimit', () => this.fault('body', 'too_many', 'The body must have at most 20 parts.'));
        parser.on('finish', resolve);
        parser.on('error', () => reject(malformed()));
        request.on('close', () => {
          if (!request.complete) reject(malformed());
        });
        request.pipe(parser);
      });
      await this.file?.written;
    } catch (error) {
      request.unpipe(parser);
      // What the client still sends is thrown away, so that it gets to reading the answer.
      request.resume();
      // With an error: without one, a stream that has just ended would leave its copy waiting for more.
      this.file?.stream.destroy(error as Error);
      await this.file?.written.catch(() => undefined);
      throw error;
    } finally {
      request.off('data', count);
    }
  }

  private count(bytes: number): void {
    const { maxBytes, hold } = this.options;
    this.received += bytes;
    if (this.received > maxBytes + OVERHEAD) throw tooLarge(maxBytes);
    hold(bytes);
  }

  result(): ReceivedUpload {
    const { alt = '', errors, file } = this;
    const size = file?.stream.bytesRead ?? 0;
    if (!file || (size === 0 && file.filename === '')) {
      if (!errors.some(({ path }) => path === 'file')) this.fault('file', 'required', 'file is required.');
    } else if (size === 0) {
      this.fault('file', 'empty', 'file is empty.');
    }
    return { filename: file?.filename || 'file', size, alt, errors };
  }

  private takeFile(
    name: string | undefined,
    stream: BusboyFileStream,
    filename: string | undefined,
    fail: (problem: Error) => void,
  ): void {
    // A part that breaks off fails the whole body; its own error needs a listener nevertheless.
    stream.on('error', () => fail(malformed()));
    if (name !== 'file' || this.file) {
      if (name === 'file') this.fault('file', 'duplicate', 'Only one file is allowed.');
      else this.unknown(name);
      stream.resume();
      return;
    }
    stream.on('limit', () => fail(tooLarge(this.options.maxBytes)));
    const target = createWriteStream(this.path, { flags: 'wx', mode: 0o600 });
    // Comes before the error of the part, which the pipeline destroys then and which would blame the client.
    target.on('error', fail);
    const written = pipeline(stream, target);
    written.catch(fail);
    this.file = { filename: this.checkFilename(filename ?? ''), stream, written };
  }

  private takeField(name: string | undefined, value: string, cut: boolean): void {
    if (name === 'file') return this.fault('file', 'type', 'file must be a file: its part requires a filename.');
    if (name !== 'alt') return this.unknown(name);
    if (this.alt !== undefined) return this.fault('alt', 'duplicate', 'Only one alt is allowed.');
    this.alt = value;
    const fault = faultOfText(value);
    if (fault) this.fault('alt', 'text', `alt contains ${fault}.`);
    if (cut || countCodePoints(value) > MAX_ALT) {
      this.fault('alt', 'length', `alt must have at most ${MAX_ALT} characters.`);
    }
  }

  /** Any name is kept as it is, but for what no text column could hold. */
  private checkFilename(filename: string): string {
    if (countCodePoints(filename) > MAX_FILENAME) {
      this.fault('file', 'length', `The filename must have at most ${MAX_FILENAME} characters.`);
    }
    return filename.toWellFormed().replaceAll('\0', '\uFFFD');
  }

  private unknown(name = ''): void {
    const shown = shorten(name.toWellFormed().replaceAll('\0', '\uFFFD'));
    this.fault(shown, 'unknown_property', `${shown} is not a known property.`);
  }

  private fault(path: string, code: string, message: string): void {
    this.errors.push({ path, code, message });
  }
}

function tooLarge(maxBytes: number): Problem {
  return new Problem('payload_too_large', `The file is larger than ${maxBytes} bytes.`);
}

function malformed(): Problem {
  return new Problem('malformed_multipart', 'The body is not valid multipart/form-data, or it is incomplete.');
}
