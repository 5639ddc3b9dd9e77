import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import type { Request } from 'express';
import { Problem, type ValueError } from '../../errors/problem.js';
import { countCodePoints, shorten } from '../../fields/formats/text.js';
import { isMultipart } from '../../http/bodies/form-body.js';
import { atPace } from '../../http/bodies/body-pace.js';
import { decodeMultipartName } from '../../http/bodies/multipart-name.js';
import { writeNewFile } from '../../http/bodies/new-file.js';
import { faultOfText } from '../../http/bodies/storable-values.js';
import { cleanName, NAMELESS } from '../files/file-name.js';
import { MAX_ALT } from '../media.dto.js';
import type { ValueErrorCode } from '../../errors/value-errors.js';

/** The contents of a multipart body, except the file, which is at the given path. */
interface ReceivedUpload {
  /** The clean name. */
  filename: string;
  size: number;
  alt: string;
  /** Every error in the parts. If there are errors, the file may be missing. */
  errors: ValueError[];
}

/** Bytes for the headers and boundaries of the parts, and for the alternative text. */
const OVERHEAD = 64 * 1024;
const FIELD_BYTES = 16 * 1024;

interface ReceiveOptions {
  maxBytes: number;
  /** Called with the number of bytes of each chunk that arrives. An error that it throws ends the upload. */
  hold: (bytes: number) => void;
}

/** Receives one upload and writes its file to `path`. Throws like `receiveUpload`. */
export type ReceiveUpload = (path: string, options: ReceiveOptions) => Promise<ReceivedUpload>;

/**
 * Streams the only file of the body to `path` without holding it in memory. Throws a 400 if the body is malformed or incomplete, a 408 if it arrives too slowly, a 413 if
 * the file is larger than `maxBytes`, a 415 if the body is not multipart, and the system error if the disk fails. The caller must remove
 * the file in any case.
 */
export async function receiveUpload(request: Request, path: string, options: ReceiveOptions): Promise<ReceivedUpload> {
  const { maxBytes } = options;
  const contentType = request.headers['content-type'] ?? '';
  if (!isMultipart(request)) {
    throw new Problem(
      'unsupported_media_type',
      'Send the file as multipart/form-data, in a part named file, or its url as JSON.',
    );
  }
  if (Number(request.headers['content-length'] ?? 0) > maxBytes + OVERHEAD) throw tooLarge(maxBytes);
  const upload = new Upload(path, options);
  let parser: BusboyInstance;
  try {
    parser = new Busboy({
      headers: { ...request.headers, 'content-type': contentType },
      limits: { fileSize: maxBytes, fieldSize: FIELD_BYTES, parts: 20, headerPairs: 50, headerSize: 16 * 1024 },
      // `cleanName` removes folders.
      preservePath: true,
    });
  } catch {
    throw malformed();
  }
  await atPace(request, (signal) => upload.read(request, parser, signal));
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

  async read(request: Request, parser: BusboyInstance, pace: AbortSignal | undefined): Promise<void> {
    let fail: (error: Error) => void = () => undefined;
    // Unknown parts count too, because otherwise a body could be endless.
    const count = (chunk: Buffer) => {
      try {
        this.count(chunk.length);
      } catch (error) {
        fail(error as Error);
      }
    };
    try {
      // If the client disconnected while the upload waited for its turn, no further event reports that.
      if (request.destroyed) throw malformed();
      await new Promise<void>((resolve, reject) => {
        fail = reject;
        pace?.addEventListener('abort', () => reject(pace.reason as Problem));
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
      // Discard the rest of the body, so that the client reads the response.
      request.resume();
      // Pass the error. Without one, the pipeline of a stream that has just ended would wait forever.
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
    return { filename: file?.filename || NAMELESS, size, alt, errors };
  }

  private takeFile(
    name: string | undefined,
    stream: BusboyFileStream,
    filename: string | undefined,
    fail: (problem: Error) => void,
  ): void {
    // An incomplete part fails the whole body, but its own error needs a listener too.
    stream.on('error', () => fail(malformed()));
    if (name !== 'file' || this.file) {
      if (name === 'file') this.fault('file', 'duplicate', 'Only one file is allowed.');
      else this.unknown(name);
      stream.resume();
      return;
    }
    stream.on('limit', () => fail(tooLarge(this.options.maxBytes)));
    const written = writeNewFile(this.path, (target) => {
      // This error comes before the error of the part, which the pipeline then destroys and which would blame the client.
      target.on('error', fail);
      return pipeline(stream, target);
    });
    written.catch(fail);
    this.file = { filename: nameOf(filename), stream, written };
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

  private unknown(name = ''): void {
    const shown = shorten(decodeMultipartName(name).toWellFormed().replaceAll('\0', '\uFFFD'));
    this.fault(shown, 'unknown_property', `${shown} is not a known property. The properties are file, alt.`);
  }

  private fault(path: string, code: ValueErrorCode, message: string): void {
    this.errors.push({ path, code, message });
  }
}

/** Returns the clean name; empty if there is none. */
function nameOf(sent = ''): string {
  return sent === '' ? '' : cleanName(decodeMultipartName(sent));
}

/** The 413 of a file. */
export function tooLarge(maxBytes: number): Problem {
  return new Problem('payload_too_large', `The file is larger than ${maxBytes} bytes.`);
}

function malformed(): Problem {
  return new Problem('malformed_multipart', 'The body is not valid multipart/form-data, or it is incomplete.');
}
