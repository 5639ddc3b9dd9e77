import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { writeNewFile } from './new-file.js';

/** A file that a form contained. */
export interface SentFile {
  /** The name of the part. */
  field: string;
  /** The name of the file as it was sent: any text. */
  filename: string;
  /** The media type that was sent, in lower case and without parameters. */
  declaredType: string;
  /** Bytes that arrived, whether they were stored or not. */
  size: number;
  /** SHA-256 of these bytes, in hexadecimal digits. */
  hash: string;
  /** Undefined: the file was only read. Otherwise it is at this path if it has at most as many bytes as it may have. */
  target: FileTarget | undefined;
}

interface FileTarget {
  /** There is no file at this path yet. */
  path: string;
  maxBytes: number;
}

/** Decides where the files of a form go. */
export interface FileTargets {
  /** Returns where the next file goes; undefined if it is only read. `name` is that of its part. */
  targetOf(name: string): FileTarget | undefined;
  /** Called with the number of bytes of each chunk before it is written. An error that it throws ends the reading. */
  hold(bytes: number): void;
}

interface Reading {
  target: FileTarget | undefined;
  hold: (bytes: number) => void;
  /** Called with the number of bytes of each chunk. An error that it throws ends the reading. */
  count: (bytes: number) => void;
}

/**
 * Reads a file to its end, and writes it to its target, unless it has more than `maxBytes`. Rejects if the disk fails, and if the stream is
 * destroyed.
 */
export async function readFile(
  stream: Readable,
  part: Pick<SentFile, 'field' | 'filename' | 'declaredType'>,
  { target, hold, count }: Reading,
): Promise<SentFile> {
  const hash = createHash('sha256');
  let size = 0;
  const inspected = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      size += chunk.length;
      count(chunk.length);
      hash.update(chunk);
      if (target === undefined || size > target.maxBytes) continue;
      hold(chunk.length);
      yield chunk;
    }
  };
  if (target) await writeNewFile(target.path, (file) => pipeline(stream, inspected, file));
  else await pipeline(stream, inspected, drain);
  return { ...part, size, hash: hash.digest('hex'), target };
}

async function drain(chunks: AsyncIterable<Buffer>): Promise<void> {
  const rest = chunks[Symbol.asyncIterator]();
  while ((await rest.next()).done !== true);
}
