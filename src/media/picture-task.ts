import type { Dimensions } from './dimensions.js';
import type { PictureLimits } from './picture-limits.js';
import type { Variant } from './variant.js';

/** Reads width and height of the image at `source`. */
export interface DimensionsTask {
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

/** The message to the process that works on pictures. */
export interface PictureOrder {
  task: DimensionsTask | VariantTask;
  limits: Omit<PictureLimits, 'wallMs'>;
}

/** The messages from it. `memoryBytes` is what it has resident after the task. */
export type PictureReport =
  | { kind: 'ready' }
  /** It can work on no picture: the image library does not load. */
  | { kind: 'unusable'; message: string }
  /** Dimensions, or the bytes of the variant. */
  | { kind: 'done'; result: Dimensions | number; memoryBytes: number }
  /** `code` is that of the system error if a file could not be read or written, undefined if the picture is at fault. */
  | { kind: 'failed'; message: string; code?: string; memoryBytes: number }
  /** The picture used more than its limits; the process ends. */
  | { kind: 'exceeded'; what: 'time' | 'memory' };
