import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import type { Request, Response } from 'express';
import { Problem, type ValueError } from '../../errors/problem.js';
import { shorten } from '../../fields/formats/text.js';
import { atPace } from './body-pace.js';
import { type FileTargets, readFile, type SentFile } from './form-files.js';
import { readBytes } from './json-body.js';
import { mediaTypeOf, MULTIPART, URL_ENCODED } from './media-type.js';
import { decodeMultipartName } from './multipart-name.js';
import { faultOfText } from './storable-values.js';
import type { ValueErrorCode } from '../../errors/value-errors.js';

/** The parts of a form that a browser sent. */
export interface SentForm {
  /** The values by name, in their order. */
  parts: Map<string, string[]>;
  /** In their order. */
  files: SentFile[];
  errors: ValueError[];
  /** Bytes of all names and values. */
  bytes: number;
}

interface FormLimits {
  /** Bytes of all names and values. */
  text: number;
  /** Bytes of all files. */
  files: number;
  /** Where the files go. Without it, they are only read. */
  targets?: FileTargets;
  /** Ends the reading, which then throws its reason. */
  signal?: AbortSignal;
}

const MAX_PARTS = 2_000;
const MAX_NAME = 200;
/** Bytes of a multipart body beside texts and files: boundaries and headers. */
const MAX_OVERHEAD = 1024 * 1024;
/** An encoded byte has three characters. */
const ENCODED = 3;

/** What decoding puts in place of bytes that are no UTF-8. */
const REPLACEMENT = '\ufffd';
const REPLACEMENT_BYTES = Buffer.from(REPLACEMENT);

const sentForms = new WeakMap<IncomingMessage, SentForm>();

/** Returns the form that the request brought, if it was read to its end. */
export function sentFormOf(request: IncomingMessage): SentForm | undefined {
  return sentForms.get(request);
}

/** Whether the body is a form as browsers send it. */
export function isForm(request: Pick<Request, 'headers'>): boolean {
  const { type } = mediaTypeOf(request);
  return type === URL_ENCODED || type === MULTIPART;
}

/** Whether the body is multipart/form-data, in which files can be sent. */
export function isMultipart(request: Pick<Request, 'headers'>): boolean {
  return mediaTypeOf(request).type === MULTIPART;
}

/** How many bytes a form with so much text may have. */
export function encodedBytes(text: number): number {
  return text * ENCODED;
}

/**
 * Reads the body of a form. Line ends become `\n`, as in the page. Throws a 400 if the body is malformed or incomplete, a 408 if it arrives too slowly, a 413 if it is too
 * large, a 415 if it is compressed multipart, and the system error if a file cannot be written. The caller must remove the files at the
 * targets in any case.
 */
export async function readForm(request: Request, response: Response, limits: FormLimits): Promise<SentForm> {
  const reader = new FormReader(limits);
  if (!isMultipart(request)) {
    const bytes = await readBytes(request, response, encodedBytes(limits.text));
    reader.takeEncoded(bytes);
  } else await atPace(request, (pace) => reader.takeMultipart(request, pace));
  sentForms.set(request, reader.form);
  return reader.form;
}

class FormReader {
  readonly form: SentForm = { parts: new Map(), files: [], errors: [], bytes: 0 };
  private count = 0;
  private fileBytes = 0;
  /** Whether the client itself sent the replacement character somewhere in a multipart body, and the last bytes that were looked at. */
  private hasReplacement = false;
  private lastBytes: Buffer = Buffer.alloc(0);
  /** The files that are being read. */
  private readonly reading: { stream: BusboyFileStream; done: Promise<SentFile> }[] = [];

  constructor(private readonly limits: FormLimits) {}

  takeEncoded(bytes: Buffer): void {
    if (!isUtf8(bytes)) return this.fault('body', 'text', 'The body is not valid UTF-8.');
    const text = bytes.toString('utf8');
    if (pairsIn(text) > MAX_PARTS) return this.tooMany();
    const isReplaced = !/%EF%BF%BD|\ufffd/i.test(text);
    for (const [name, value] of new URLSearchParams(text)) {
      this.take(name, value);
      // Decoding replaced invalid UTF-8, unless the client sent the replacement character itself.
      if (isReplaced) this.assertDecoded(name, value);
    }
  }

  /** `pace` ends the reading like the signal of the limits. */
  async takeMultipart(request: Request, pace: AbortSignal | undefined): Promise<void> {
    if (request.headers['content-encoding'] !== undefined) {
      throw new Problem('unsupported_media_type', 'Send multipart/form-data uncompressed.');
    }
    const parser = parserOf(request, this.limits);
    const { text, files, signal } = this.limits;
    const max = text + files + MAX_OVERHEAD;
    let received = 0;
    let fail: (error: Error) => void = () => undefined;
    const countBytes = (chunk: Buffer) => {
      received += chunk.length;
      if (received > max) fail(tooLarge(files));
      this.lookForReplacement(chunk);
    };
    try {
      if (request.destroyed) throw malformed();
      if (Number(request.headers['content-length'] ?? 0) > max) throw tooLarge(files);
      await new Promise<void>((resolve, reject) => {
        fail = reject;
        request.on('data', countBytes);
        for (const end of [signal, pace]) end?.addEventListener('abort', () => reject(end.reason as Error));
        request.on('close', () => {
          if (!request.complete) reject(malformed());
        });
        this.listen(parser, resolve, reject);
        request.pipe(parser);
      });
      const sent = await Promise.all(this.reading.map(({ done }) => done));
      this.form.files = sent.filter(isChosen);
    } catch (error) {
      request.unpipe(parser);
      // Discard the rest of the body, so that the client reads the response.
      request.resume();
      // Pass the error. Without one, the pipeline of a stream that has just ended would wait forever.
      for (const { stream } of this.reading) stream.destroy(error as Error);
      await Promise.allSettled(this.reading.map(({ done }) => done));
      throw error;
    } finally {
      request.off('data', countBytes);
    }
  }

  private listen(parser: BusboyInstance, resolve: () => void, reject: (error: Error) => void): void {
    const attempt = (work: () => void) => {
      try {
        work();
      } catch (error) {
        reject(error as Error);
      }
    };
    parser.on('field', (sentName, value, nameCut, valueCut) =>
      attempt(() => {
        const name = decodeMultipartName(sentName ?? '');
        if (valueCut) throw tooLarge(this.limits.text);
        if (nameCut) this.fault('body', 'too_long', `The name of a part has more than ${MAX_NAME} bytes.`);
        else {
          this.take(name, value);
          // The bytes of the part were looked at before the parser got them.
          if (!this.hasReplacement) this.assertDecoded(name, value);
        }
      }),
    );
    parser.on('file', (name, stream, filename, _encoding, type) => {
      const field = nameOf(decodeMultipartName(name ?? ''));
      this.takeFile({ field, filename: decodeMultipartName(filename ?? ''), declaredType: type }, stream, reject);
    });
    parser.on('partsLimit', () => this.tooMany());
    parser.on('finish', resolve);
    parser.on('error', () => reject(malformed()));
  }

  /** Browsers send an empty part without a name of a file if none was chosen. */
  private takeFile(
    part: Pick<SentFile, 'field' | 'filename' | 'declaredType'>,
    stream: BusboyFileStream,
    reject: (error: Error) => void,
  ): void {
    // Other errors of the stream follow from the one that `done` reports.
    stream.on('error', (error) => {
      if (!isOwn(error)) reject(malformed());
    });
    const { targets, files } = this.limits;
    const count = (bytes: number) => {
      this.fileBytes += bytes;
      if (this.fileBytes > files) throw tooLarge(files);
    };
    const target = part.filename === '' ? undefined : targets?.targetOf(part.field);
    const done = readFile(stream, part, { target, hold: (bytes) => targets?.hold(bytes), count });
    done.catch((error: Error) => reject(isOwn(error) ? error : malformed()));
    this.reading.push({ stream, done });
  }

  private assertDecoded(name: string, value: string): void {
    if (!`${name}${value}`.includes(REPLACEMENT)) return;
    this.fault(`fields.${shorten(name)}`, 'text', `${shorten(name)} is not valid UTF-8.`);
  }

  /** Looks for the replacement character, which may be divided between chunks. */
  private lookForReplacement(chunk: Buffer): void {
    if (this.hasReplacement) return;
    const border = Buffer.concat([this.lastBytes, chunk.subarray(0, 2)]);
    this.hasReplacement = border.includes(REPLACEMENT_BYTES) || chunk.includes(REPLACEMENT_BYTES);
    this.lastBytes = Buffer.concat([this.lastBytes, chunk.subarray(-2)]).subarray(-2);
  }

  private take(name: string, value: string): void {
    if (++this.count > MAX_PARTS) return this.tooMany();
    const bytes = Buffer.byteLength(name) + Buffer.byteLength(value);
    this.form.bytes += bytes;
    if (this.form.bytes > this.limits.text) throw tooLarge(this.limits.text);
    const key = nameOf(name);
    const text = value.replaceAll('\r\n', '\n');
    // A part may declare UTF-16, in which surrogates can be alone.
    const fault = faultOfText(value);
    if (fault) this.fault(`fields.${shorten(key)}`, 'text', `${shorten(key)} contains ${fault}.`);
    const earlier = this.form.parts.get(key);
    if (earlier) earlier.push(text);
    else this.form.parts.set(key, [text]);
  }

  private tooMany(): void {
    if (this.form.errors.some(({ code }) => code === 'too_many')) return;
    this.fault('body', 'too_many', `The form must have at most ${MAX_PARTS} parts.`);
  }

  private fault(path: string, code: ValueErrorCode, message: string): void {
    if (this.form.errors.length < 100) this.form.errors.push({ path, code, message });
  }
}

function parserOf({ headers }: Request, { text }: FormLimits): BusboyInstance {
  try {
    return new Busboy({
      headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
      limits: {
        parts: MAX_PARTS,
        fieldNameSize: MAX_NAME,
        fieldSize: text,
        headerPairs: 50,
        headerSize: 16 * 1024,
      },
      // What a name contains is not for the parser to decide.
      preservePath: true,
    });
  } catch {
    throw malformed();
  }
}

/** A name as it can be stored and shown. */
function nameOf(name: string): string {
  return name.toWellFormed().replaceAll('\0', '\ufffd');
}

/** Browsers send an empty part without a name if no file was chosen. */
function isChosen({ filename, size }: SentFile): boolean {
  return filename !== '' || size > 0;
}

function pairsIn(text: string): number {
  let count = 1;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) count++;
  return count;
}

/** Errors of Node and of the system have a code, and refusals are problems. All others are those of a part that is incomplete. */
function isOwn(error: Error): boolean {
  return error instanceof Problem || 'code' in error;
}

function tooLarge(bytes: number): Problem {
  return new Problem('payload_too_large', `The form is larger than ${bytes} bytes.`);
}

function malformed(): Problem {
  return new Problem('malformed_multipart', 'The body is not valid multipart/form-data, or it is incomplete.');
}
