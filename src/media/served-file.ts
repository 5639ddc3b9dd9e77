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
