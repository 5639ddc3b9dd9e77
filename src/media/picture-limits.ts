import { totalmem } from 'node:os';

const GIB = 1_073_741_824;

/** Pixels of an image that is taken. A larger one is an attempt to fill the memory of whatever shows it. */
export const MAX_PIXELS = 100_000_000;

/** What one picture may use of the process that works on it. */
export interface PictureLimits {
  /** Milliseconds until the process is killed, however little of a busy processor it got. */
  wallMs: number;
  /** Milliseconds of processor time. */
  cpuMs: number;
  /** Resident memory of the whole process. */
  memoryBytes: number;
}

const memoryBytes = Math.min(GIB, availableMemory() / 2);

/** To read width and height from an image's header. */
export const DIMENSIONS_LIMITS: PictureLimits = { wallMs: 5_000, cpuMs: 2_000, memoryBytes };

/** To draw a variant. */
export const VARIANT_LIMITS: PictureLimits = { wallMs: 20_000, cpuMs: 10_000, memoryBytes };

/** Of the container, if it limits memory, else of the machine. */
function availableMemory(): number {
  const constrained = process.constrainedMemory() ?? 0;
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}
