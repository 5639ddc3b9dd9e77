import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import sharp, { type Sharp } from 'sharp';
import { MAX_PIXELS } from './picture-limits.js';
import type { Dimensions, PictureOrder, VariantTask } from './picture-task.js';
import { MAX_SIDE, type Variant } from './variant.js';

// Use one thread, because the number of images at once is decided elsewhere. A cache is useless, because no image is drawn twice.
sharp.concurrency(1);
sharp.cache(false);
// Decode only pixels, regardless of the type that a file claims: an SVG of 3 KB can take minutes to render.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Tiff'].map((name) => `VipsForeignLoad${name}`) });

/** Carries out a task. Throws a system error if the disk failed. Any other error is caused by the image. */
export async function workOn(task: PictureOrder['task']): Promise<Dimensions | number> {
  try {
    return await (task.kind === 'dimensions' ? readDimensions(task.source) : drawVariant(task));
  } catch (error) {
    // The image library does not distinguish an unreadable file from an invalid image. Reading the file throws if the disk failed.
    await pipeline(createReadStream(task.source), new Writable({ write: (_chunk, _encoding, done) => done() }));
    throw error;
  }
}

/** Returns width and height of the image as it is shown, from its header alone. */
async function readDimensions(source: string): Promise<Dimensions> {
  const { width, height, autoOrient } = await sharp(source, { limitInputPixels: false }).metadata();
  return autoOrient ?? { width, height };
}

/** Draws the variant upright, without metadata, and never enlarged. Returns its size in bytes. */
async function drawVariant({ source, target, variant, maxBytes }: VariantTask): Promise<number> {
  const { width = MAX_SIDE, height = MAX_SIDE, fit } = variant;
  const picture = sharp(source, { limitInputPixels: MAX_PIXELS, sequentialRead: true, failOn: 'none' })
    .autoOrient()
    .resize({ width, height, fit, withoutEnlargement: true, background: 'transparent' });
  const bytes = await encode(picture, variant).toBuffer();
  if (bytes.length > maxBytes) throw new Error(`The variant would have more than ${maxBytes} bytes.`);
  await writeFile(target, bytes, { mode: 0o600 });
  return bytes.length;
}

function encode(picture: Sharp, { format }: Variant): Sharp {
  switch (format) {
    case 'webp':
      return picture.webp();
    // More effort takes up to ten times as long, with almost no benefit.
    case 'avif':
      return picture.avif({ effort: 0 });
    case 'jpeg':
      return picture.flatten({ background: 'white' }).jpeg();
    case 'png':
      return picture.png();
  }
}
