/** Image types that the image library decodes. If it cannot decode such an image, the image is damaged. */
export const DECODED: readonly string[] = [
  'image/png',
  'image/apng',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/tiff',
];

/** Image types of which the library can usually read the size, but decodes no pixels: it has no decoder for HEVC. */
export const HEIC: readonly string[] = ['image/heic', 'image/heif'];

/** Whether the file with this beginning is an animated AVIF, of which the library decodes only one image. */
export function isAnimatedAvif(head: Buffer): boolean {
  return head.toString('latin1', 4, 12) === 'ftypavis';
}
