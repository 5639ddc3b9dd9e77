import type { Readable } from 'node:stream';

/** Bytes of a stored object; whoever gets it reads or destroys the stream. */
export interface StoredBytes {
  stream: Readable;
  /** Of what the stream holds, in bytes. */
  length: number;
}

/** First and last byte, both counted. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Where files are kept. Keys are made by `keyOf` from ids alone; nothing a client named ever is one. */
export abstract class MediaStorage {
  /** Stores the finished local file under the key; may move it away. It is there as a whole, or not at all. */
  abstract put(key: string, path: string, mimeType: string): Promise<void>;

  /** What is under the key, or undefined. */
  abstract read(key: string, range?: ByteRange): Promise<StoredBytes | undefined>;

  /** Where the stored file is on a local disk; undefined when it is elsewhere. */
  abstract localPath(key: string): string | undefined;

  /** Removes what is under the keys; a key with nothing under it is no error. */
  abstract remove(keys: readonly string[]): Promise<void>;
}

/** The key of a file's bytes, or of a variant's. The ids' random ends spread files over 256 folders. */
export function keyOf(id: string, variant = 'original'): string {
  return `${id.slice(-2)}/${id}/${variant}`;
}
