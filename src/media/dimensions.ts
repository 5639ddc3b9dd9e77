import { readHead } from './file-head.js';
import { DIMENSIONS_LIMITS } from './picture-limits.js';
import { PictureFault } from './picture-process.js';
import type { Pictures } from './pictures.js';
import { svgDimensions } from './svg-dimensions.js';
import { decodeText } from './text-type.js';

export interface Dimensions {
  width: number;
  height: number;
}

/** Images that the image library reads for certain: one of these that it can't read is damaged. */
const READ = ['image/png', 'image/apng', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/tiff'];
/** Images that it can read mostly. */
const TRIED = ['image/heic', 'image/heif'];

/**
 * Width and height of the tenant's file as the image is shown, from its header alone; undefined when it has none. Throws a
 * `PictureFault` when an image is damaged, and 503 when images can't be read now.
 */
export async function dimensionsOf(
  pictures: Pictures,
  tenantId: string,
  file: { path: string; mime: string },
): Promise<Dimensions | undefined> {
  const { path, mime } = file;
  if (mime === 'image/svg+xml') return svgDimensions(decodeText((await readHead(path)).head));
  if (!READ.includes(mime) && !TRIED.includes(mime)) return undefined;
  try {
    return await pictures.reading.run(tenantId, (process) => process.dimensions(path, DIMENSIONS_LIMITS));
  } catch (error) {
    if (error instanceof PictureFault && TRIED.includes(mime)) return undefined;
    throw error;
  }
}
