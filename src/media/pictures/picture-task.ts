import type { PictureLimits } from './picture-limits.js';
import type { Variant } from '../variants/variant.js';

export interface Dimensions {
  width: number;
  height: number;
}

/** Reads width and height of the image at `source`. */
interface DimensionsTask {
  kind: 'dimensions';
  source: string;
}

/** Draws a variant of the image at `source` into the file `target`, unless it has more than `maxBytes`. */
export interface VariantTask {
  kind: 'variant';
  source: string;
  target: string;
  variant: Variant;
  maxBytes: number;
}

/** Image formats that can be written without metadata. */
export type StrippedFormat = 'png' | 'jpeg' | 'gif' | 'webp' | 'avif' | 'tiff';

/** Writes the image at `source` into the file `target`, upright and without metadata, unless it would have more than `maxBytes`. */
export interface StripTask {
  kind: 'strip';
  source: string;
  target: string;
  format: StrippedFormat;
  maxBytes: number;
}

/** The message to the process that works on images. */
export interface PictureOrder {
  task: DimensionsTask | VariantTask | StripTask;
  limits: Omit<PictureLimits, 'wallMs'>;
}

/** The messages from that process. `memoryBytes` is its resident memory after the task. */
export type PictureReport =
  | { kind: 'ready' }
  /** The process cannot work, because the image library does not load. */
  | { kind: 'unusable'; message: string }
  /** The dimensions, or the size of the new file in bytes. */
  | { kind: 'done'; result: Dimensions | number; memoryBytes: number }
  /** `code` is the code of the system error if a file could not be read or written; undefined if the image caused the failure. */
  | { kind: 'failed'; message: string; code?: string; memoryBytes: number }
  /** The image exceeded its limits. The process ends. */
  | { kind: 'exceeded'; what: 'time' | 'memory' };
