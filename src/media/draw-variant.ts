import type { Sharp } from 'sharp';
import { MAX_PIXELS } from './dimensions.js';
import { loadSharp } from './load-sharp.js';
import { MAX_SIDE, type Variant } from './variant.js';

/** Seconds that a picture may take. */
const PATIENCE = 20;

/** Draws a variant of the image at `source` into `target`: upright, without metadata, never enlarged. Throws when it can't. */
export async function drawVariant(source: string, target: string, variant: Variant): Promise<void> {
  const { width = MAX_SIDE, height = MAX_SIDE, fit } = variant;
  const sharp = await loadSharp();
  const picture = sharp(source, { limitInputPixels: MAX_PIXELS, sequentialRead: true, failOn: 'none' })
    .autoOrient()
    .resize({ width, height, fit, withoutEnlargement: true, background: 'transparent' })
    .timeout({ seconds: PATIENCE });
  await encode(picture, variant).toFile(target);
}

function encode(picture: Sharp, { format }: Variant): Sharp {
  switch (format) {
    case 'webp':
      return picture.webp();
    // More effort takes up to ten times as long, for next to nothing.
    case 'avif':
      return picture.avif({ effort: 0 });
    case 'jpeg':
      return picture.flatten({ background: 'white' }).jpeg();
    case 'png':
      return picture.png();
  }
}
