import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import sharp, { type Sharp } from 'sharp';
import { MAX_PIXELS } from './picture-limits.js';
import type { Dimensions, PictureOrder, StrippedFormat, StripTask, VariantTask } from './picture-task.js';
import { MAX_SIDE, type Variant } from '../variants/variant.js';

// Use one thread, because the number of images at once is decided elsewhere. A cache is useless, because no image is drawn twice.
sharp.concurrency(1);
sharp.cache(false);
// Decode only pixels, regardless of the type that a file claims: an SVG of 3 KB can take minutes to render.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Tiff'].map((name) => `VipsForeignLoad${name}`) });

/** Carries out a task. Throws a system error if the disk failed. Any other error is caused by the image. */
export async function workOn(task: PictureOrder['task']): Promise<Dimensions | number> {
  try {
    return await carryOut(task);
  } catch (error) {
    // The image library does not distinguish an unreadable file from an invalid image. Reading the file throws if the disk failed.
    await pipeline(createReadStream(task.source), new Writable({ write: (_chunk, _encoding, done) => done() }));
    throw error;
  }
}

function carryOut(task: PictureOrder['task']): Promise<Dimensions | number> {
  switch (task.kind) {
    case 'dimensions':
      return readDimensions(task.source);
    case 'variant':
      return drawVariant(task);
    case 'strip':
      return strip(task);
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

/** Writes the whole image, with all images of an animation, upright and without metadata. Returns its size in bytes. */
async function strip({ source, target, format, maxBytes }: StripTask): Promise<number> {
  const animated = ['gif', 'webp', 'tiff'].includes(format);
  // The file replaces the original, so unlike a variant it must not lack the part that is cut off.
  const picture = sharp(source, { limitInputPixels: MAX_PIXELS, sequentialRead: true, failOn: 'truncated', animated });
  const bytes = await encodeWhole(picture.autoOrient(), format).toBuffer();
  if (bytes.length <= maxBytes) await writeFile(target, bytes, { mode: 0o600 });
  return bytes.length;
}

/** The file is kept instead of the original, so it has a higher quality than a variant. */
function encodeWhole(picture: Sharp, format: StrippedFormat): Sharp {
  switch (format) {
    case 'png':
      return picture.png();
    case 'jpeg':
      return picture.jpeg({ quality: 90 });
    case 'gif':
      return picture.gif({ effort: 1 });
    case 'webp':
      return picture.webp({ quality: 90, effort: 2 });
    case 'avif':
      return picture.avif({ quality: 75, effort: 0 });
    case 'tiff':
      return picture.tiff({ compression: 'lzw' });
  }
}
