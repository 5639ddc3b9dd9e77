import { totalmem } from 'node:os';

const GIB = 1_073_741_824;

/** Maximum number of pixels of an image. A larger one would be an attempt to fill the memory of the programs that show it. */
export const MAX_PIXELS = 100_000_000;

/** The resources that one image may use in the process that works on it. */
export interface PictureLimits {
  /** Milliseconds until the process is killed, even if it got little time on a busy processor. */
  wallMs: number;
  /** Milliseconds of processor time. */
  cpuMs: number;
  /** Resident memory of the whole process. */
  memoryBytes: number;
}

const memoryBytes = Math.min(GIB, availableMemory() / 2);

/** For reading width and height from an image's header. */
export const DIMENSIONS_LIMITS: PictureLimits = { wallMs: 5_000, cpuMs: 2_000, memoryBytes };

/** For drawing an image: a variant, or an upload without its metadata. */
export const DRAWING_LIMITS: PictureLimits = { wallMs: 20_000, cpuMs: 10_000, memoryBytes };

/** Returns the memory of the container if it is limited, otherwise of the machine, in bytes. */
function availableMemory(): number {
  const constrained = process.constrainedMemory() ?? 0;
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}
