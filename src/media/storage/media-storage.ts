import type { Readable } from 'node:stream';

/** The bytes of a stored object. The receiver must read or destroy the stream. */
export interface StoredBytes {
  stream: Readable;
  /** Length of the stream in bytes. */
  length: number;
}

/** The first and the last byte, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Stores the bytes of files. `keyOf` makes keys from IDs only, never from names that a client sent. */
export abstract class MediaStorage {
  /** Stores the complete local file under the key, as a whole or not at all. May move the local file. */
  abstract put(key: string, path: string, mimeType: string): Promise<void>;

  /** Returns the bytes under the key, or undefined. */
  abstract read(key: string, range?: ByteRange): Promise<StoredBytes | undefined>;

  /** Returns the path of the stored file on a local disk; undefined if it is stored elsewhere. */
  abstract localPath(key: string): string | undefined;

  /** Removes the bytes under the keys. A key without bytes is not an error. */
  abstract remove(keys: readonly string[]): Promise<void>;
}

/** The place of the variant in the key of a file that has no URL. No variant has this name. */
export const PRIVATE = 'private';

/** Returns the key of a file or of a variant. The random end of the ID spreads files over 256 folders. */
export function keyOf(id: string, variant = 'original'): string {
  return `${id.slice(-2)}/${id}/${variant}`;
}
