import type { ByteRange, StoredBytes } from '../storage/media-storage.js';

/** A file to be served. */
export interface ServedFile {
  /** Changes whenever the file changes. */
  etag: string;
  mimeType: string;
  filename: string;
  /** It has no public URL: it is downloaded, kept by no cache, and read by no site. */
  isPrivate?: true;
  /** Size in bytes, if it is known beforehand. Only then are ranges possible. */
  size?: number;
  open(range?: ByteRange): Promise<StoredBytes>;
}
