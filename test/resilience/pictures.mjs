/** Pictures of noise, which no format compresses well, so that their variants are as large as possible. */
import sharp from 'sharp';

export function noisePicture(width, height, quality = 60) {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 };
  return sharp({ create: { width, height, channels: 3, background: '#808080', noise } })
    .jpeg({ quality })
    .toBuffer();
}
