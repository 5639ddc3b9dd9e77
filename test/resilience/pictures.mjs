/** Pictures of noise, which no format makes small: what is drawn from them is as large as it can be. */
import sharp from 'sharp';

export function noisePicture(width, height, quality = 60) {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 };
  return sharp({ create: { width, height, channels: 3, background: '#808080', noise } })
    .jpeg({ quality })
    .toBuffer();
}
