import { readHead } from '../files/file-head.js';
import { DECODED, HEIC } from './image-types.js';
import { DIMENSIONS_LIMITS } from './picture-limits.js';
import { PictureFault } from './picture-process.js';
import type { Dimensions } from './picture-task.js';
import type { Pictures } from './pictures.js';
import { svgDimensions } from './svg-dimensions.js';
import { decodeText } from '../files/text-type.js';

/**
 * Returns the width and height of an image as it is shown, from its header alone; undefined if the file has none. Throws a `PictureFault`
 * if the image is damaged, and a 503 if images cannot be read now.
 */
export async function dimensionsOf(
  pictures: Pictures,
  tenantId: string,
  file: { path: string; mime: string },
): Promise<Dimensions | undefined> {
  const { path, mime } = file;
  if (mime === 'image/svg+xml') return svgDimensions(decodeText((await readHead(path)).head));
  if (!DECODED.includes(mime) && !HEIC.includes(mime)) return undefined;
  try {
    return await pictures.reading.run(tenantId, (process) => process.dimensions(path, DIMENSIONS_LIMITS));
  } catch (error) {
    if (error instanceof PictureFault && HEIC.includes(mime)) return undefined;
    throw error;
  }
}
