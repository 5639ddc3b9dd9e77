import sharp, { type Sharp } from 'sharp';
import { crc32 } from './files.js';

/** What the metadata of the images contains, and their pixels do not. */
export const SECRET = 'SECRET';

const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="${SECRET}"/></rdf:RDF></x:xmpmeta>`;
const PLACE = { IFD0: { Copyright: SECRET }, IFD3: { GPSLatitude: '52/1 31/1 0/1' } };

/** Images of 40 × 30 pixels, shown as 30 × 40, with a place, a profile, XMP, and the kinds of text that only their format has. */
export const taggedImages: Record<string, () => Promise<Buffer>> = {
  jpeg: async () => withSegments(await tagged((picture) => picture.jpeg()), [comment(), iptc()]),
  png: async () => withChunk(await tagged((picture) => picture.png()), 'tEXt', `Author\0${SECRET}`),
  webp: () => tagged((picture) => picture.webp()),
  avif: () => tagged((picture) => picture.avif({ effort: 0 })),
  tiff: () => tagged((picture) => picture.tiff()),
};

/** Animations of three images of 40 × 30 pixels, with text in their metadata. */
export const taggedAnimations: Record<string, () => Promise<Buffer>> = {
  gif: async () => withGifComment(await (await animation()).gif({ delay: DELAYS }).toBuffer()),
  webp: async () =>
    (await animation())
      .withExif({ IFD0: { Copyright: SECRET } })
      .webp({ delay: DELAYS })
      .toBuffer(),
};

export const DELAYS = [100, 200, 300];

/** A PNG that claims to be an animation. */
export async function animatedPng(): Promise<Buffer> {
  return withChunk(await still().png().toBuffer(), 'acTL', '\0\0\0\x01\0\0\0\0');
}

function still(red = 200): Sharp {
  return sharp({ create: { width: 40, height: 30, channels: 3, background: { r: red, g: 60, b: 20 } } });
}

function tagged(encode: (picture: Sharp) => Sharp): Promise<Buffer> {
  return encode(still().withMetadata({ orientation: 6, icc: 'p3', exif: PLACE }).withXmp(XMP)).toBuffer();
}

async function animation(): Promise<Sharp> {
  const frames = await Promise.all([0, 100, 200].map((red) => still(red).png().toBuffer()));
  return sharp(frames, { join: { animated: true } });
}

/** Inserts segments after the start of a JPEG. */
function withSegments(jpeg: Buffer, segments: readonly Buffer[]): Buffer {
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);
}

function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

function comment(): Buffer {
  return segment(0xfe, Buffer.from(SECRET));
}

/** A block of Photoshop with the caption of IPTC. */
function iptc(): Buffer {
  const caption = Buffer.concat([Buffer.from([0x1c, 2, 120, 0, SECRET.length]), Buffer.from(SECRET), Buffer.alloc(1)]);
  const block = Buffer.concat([
    Buffer.from('8BIM\x04\x04\0\0\0\0\0', 'latin1'),
    Buffer.from([caption.length - 1]),
    caption,
  ]);
  return segment(0xed, Buffer.concat([Buffer.from('Photoshop 3.0\0', 'latin1'), block]));
}

/** Inserts a chunk after the header of a PNG. */
function withChunk(png: Buffer, type: string, content: string): Buffer {
  const body = Buffer.from(type + content, 'latin1');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  const afterHeader = 8 + 25;
  return Buffer.concat([png.subarray(0, afterHeader), length, body, check, png.subarray(afterHeader)]);
}

/** Inserts a comment before the first extension of a GIF. */
function withGifComment(gif: Buffer): Buffer {
  const at = gif.indexOf(Buffer.from([0x21, 0xff]));
  const extension = Buffer.concat([Buffer.from([0x21, 0xfe, SECRET.length]), Buffer.from(SECRET), Buffer.alloc(1)]);
  return Buffer.concat([gif.subarray(0, at), extension, gif.subarray(at)]);
}
