import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import sharp, { type Sharp } from 'sharp';
import type { Dimensions } from './dimensions.js';
import { MAX_PIXELS } from './picture-limits.js';
import type { PictureOrder, VariantTask } from './picture-task.js';
import { MAX_SIDE, type Variant } from './variant.js';

// One thread: how many pictures are drawn at once is decided elsewhere. No picture is drawn twice, so a cache has no use.
sharp.concurrency(1);
sharp.cache(false);
// Whatever a file pretends to be, nothing but pixels is decoded: an SVG of 3 KB can be made to render for minutes.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Tiff'].map((name) => `VipsForeignLoad${name}`) });

/** Carries a task out. A system error says that the disk failed; any other is the picture's fault. */
export async function workOn(task: PictureOrder['task']): Promise<Dimensions | number> {
  try {
    return await (task.kind === 'dimensions' ? readDimensions(task.source) : drawVariant(task));
  } catch (error) {
    // The image library does not tell a file that can't be read from one that makes no sense.
    await pipeline(createReadStream(task.source), new Writable({ write: (_chunk, _encoding, done) => done() }));
    throw error;
  }
}

/** Width and height as the image is shown, from its header alone. */
async function readDimensions(source: string): Promise<Dimensions> {
  const { width, height, autoOrient } = await sharp(source, { limitInputPixels: false }).metadata();
  return autoOrient ?? { width, height };
}

/** Upright, without metadata, never enlarged. Returns its bytes. */
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
    // More effort takes up to ten times as long, for next to nothing.
    case 'avif':
      return picture.avif({ effort: 0 });
    case 'jpeg':
      return picture.flatten({ background: 'white' }).jpeg();
    case 'png':
      return picture.png();
  }
}
