import { isUtf8 } from 'node:buffer';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import type { Request, Response } from 'express';
import { Problem, type ValueError } from '../errors/problem.js';
import { shorten } from '../fields/text.js';
import { readBytes } from './json-body.js';

/** The parts of a form that a browser sent. */
export interface SentForm {
  /** The values by name, in their order. */
  parts: Map<string, string[]>;
  /** The names of the parts that are files. What the files contain was not kept. */
  files: Set<string>;
  errors: ValueError[];
  /** Bytes of all names and values. */
  bytes: number;
}

export interface FormLimits {
  /** Bytes of all names and values. */
  text: number;
  /** Bytes of a multipart body with its files. */
  total: number;
}

const MAX_PARTS = 2_000;
const MAX_NAME = 200;
/** An encoded byte has three characters. */
const ENCODED = 3;

const URL_ENCODED = /^application\/x-www-form-urlencoded\s*(;|$)/i;
const MULTIPART = /^multipart\/form-data\s*(;|$)/i;

/** Whether the body is a form as browsers send it. */
export function isForm({ headers }: Pick<Request, 'headers'>): boolean {
  const type = headers['content-type'] ?? '';
  return URL_ENCODED.test(type) || MULTIPART.test(type);
}

/** How many bytes a form with so much text may have. */
export function encodedBytes(text: number): number {
  return text * ENCODED;
}

/**
 * Reads the body of a form. Line ends become `\n`, as in the page. Throws a 400 if the body is malformed or incomplete, a 413 if it is too
 * large, and a 415 if it is compressed multipart.
 */
export async function readForm(request: Request, response: Response, limits: FormLimits): Promise<SentForm> {
  const reader = new FormReader(limits);
  if (URL_ENCODED.test(request.headers['content-type'] ?? '')) {
    const bytes = await readBytes(request, response, encodedBytes(limits.text));
    reader.takeEncoded(bytes);
  } else await reader.takeMultipart(request);
  return reader.form;
}

class FormReader {
  readonly form: SentForm = { parts: new Map(), files: new Set(), errors: [], bytes: 0 };
  private count = 0;

  constructor(private readonly limits: FormLimits) {}

  takeEncoded(bytes: Buffer): void {
    if (!isUtf8(bytes)) return this.fault('body', 'text', 'The body is not valid UTF-8.');
    const text = bytes.toString('utf8');
    if (pairsIn(text) > MAX_PARTS) return this.tooMany();
    const isReplaced = !/%EF%BF%BD|\ufffd/i.test(text);
    for (const [name, value] of new URLSearchParams(text)) {
      this.take(name, value);
      // Decoding replaced invalid UTF-8, unless the client sent the replacement character itself.
      if (isReplaced && `${name}${value}`.includes('\ufffd')) {
        this.fault(`fields.${shorten(name)}`, 'text', `${shorten(name)} is not valid UTF-8.`);
      }
    }
  }

  async takeMultipart(request: Request): Promise<void> {
    if (request.headers['content-encoding'] !== undefined) {
      throw new Problem('unsupported_media_type', 'Send multipart/form-data uncompressed.');
    }
    const parser = parserOf(request, this.limits);
    if (Buffer.isBuffer(request.body)) await this.feed(parser, request.body);
    else await this.pipe(parser, request);
  }

  /** Parses a body that was read before. */
  private async feed(parser: BusboyInstance, body: Buffer): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.listen(parser, resolve, reject);
      parser.end(body);
    });
  }

  private async pipe(parser: BusboyInstance, request: Request): Promise<void> {
    let received = 0;
    let fail: (error: Error) => void = () => undefined;
    const countBytes = (chunk: Buffer) => {
      received += chunk.length;
      if (received > this.limits.total) fail(tooLarge(this.limits.total));
    };
    try {
      if (request.destroyed) throw malformed();
      await new Promise<void>((resolve, reject) => {
        fail = reject;
        request.on('data', countBytes);
        request.on('close', () => {
          if (!request.complete) reject(malformed());
        });
        this.listen(parser, resolve, reject);
        request.pipe(parser);
      });
    } catch (error) {
      request.unpipe(parser);
      // Discard the rest of the body, so that the client reads the response.
      request.resume();
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
    parser.on('field', (name, value, nameCut, valueCut) =>
      attempt(() => {
        if (valueCut) throw tooLarge(this.limits.text);
        if (nameCut) this.fault('body', 'too_long', `The name of a part has more than ${MAX_NAME} bytes.`);
        else this.take(name ?? '', value);
      }),
    );
    parser.on('file', (name, stream, filename) => this.takeFile(name ?? '', stream, filename ?? '', reject));
    parser.on('partsLimit', () => this.tooMany());
    parser.on('finish', resolve);
    parser.on('error', () => reject(malformed()));
  }

  /** Browsers send an empty part without a name of a file if none was chosen. */
  private takeFile(name: string, stream: BusboyFileStream, filename: string, reject: (error: Error) => void): void {
    stream.on('error', () => reject(malformed()));
    if (filename !== '') this.form.files.add(shorten(name));
    else stream.once('data', () => this.form.files.add(shorten(name)));
    stream.resume();
  }

  private take(name: string, value: string): void {
    if (++this.count > MAX_PARTS) return this.tooMany();
    const bytes = Buffer.byteLength(name) + Buffer.byteLength(value);
    this.form.bytes += bytes;
    if (this.form.bytes > this.limits.text) throw tooLarge(this.limits.text);
    const key = name.toWellFormed().replaceAll('\0', '\ufffd');
    const text = value.replaceAll('\r\n', '\n');
    if (value.includes('\0')) this.fault(`fields.${shorten(key)}`, 'text', `${shorten(key)} contains a NUL character.`);
    const earlier = this.form.parts.get(key);
    if (earlier) earlier.push(text);
    else this.form.parts.set(key, [text]);
  }

  private tooMany(): void {
    if (this.form.errors.some(({ code }) => code === 'too_many')) return;
    this.fault('body', 'too_many', `The form must have at most ${MAX_PARTS} parts.`);
  }

  private fault(path: string, code: string, message: string): void {
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
    });
  } catch {
    throw malformed();
  }
}

function pairsIn(text: string): number {
  let count = 1;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) count++;
  return count;
}

function tooLarge(bytes: number): Problem {
  return new Problem('payload_too_large', `The form is larger than ${bytes} bytes.`);
}

function malformed(): Problem {
  return new Problem('malformed_multipart', 'The body is not valid multipart/form-data, or it is incomplete.');
}
