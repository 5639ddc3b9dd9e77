import { loadSharp } from './load-sharp.js';

export interface Dimensions {
  width: number;
  height: number;
}

/** More is no picture but an attempt to fill the memory of whoever shows it. */
export const MAX_PIXELS = 100_000_000;

/** Images that sharp reads for certain: one of these that it can't read is damaged. */
const READ = ['image/png', 'image/apng', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/tiff'];
/** Images that it can read mostly. */
const TRIED = ['image/svg+xml', 'image/heic', 'image/heif'];

/** Width and height as the image is shown, from its header alone; undefined for what has none; throws when an image is damaged. */
export async function dimensionsOf(path: string, mime: string): Promise<Dimensions | undefined> {
  if (!READ.includes(mime) && !TRIED.includes(mime)) return undefined;
  const sharp = await loadSharp();
  try {
    const { width, height, autoOrient } = await sharp(path, { limitInputPixels: false }).metadata();
    return autoOrient ?? { width, height };
  } catch (error) {
    if (READ.includes(mime)) throw error;
    return undefined;
  }
}
