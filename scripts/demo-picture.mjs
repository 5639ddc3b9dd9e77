/** Draws the covers of the demo's magazine: PNGs of a few kilobytes, computed from formulas. */
import { crc32, deflateSync } from 'node:zlib';

/** One pattern for each desk: maps a place in the picture (0 to 1 in both directions) to the share of the second colour. */
const PATTERNS = {
  coast: (x, y) => (y < 0.45 ? 0.1 : Math.sin(40 * y + 6 * Math.sin(9 * x)) * 0.4 + 0.5),
  kitchen: (x, y) => Math.max(0, 1 - 2.4 * Math.hypot((x - 0.5) * 0.8, y - 0.55)) ** 0.5,
  road: (x, y) => (Math.abs(x - 0.5 - 0.2 * Math.sin(5 * y)) < 0.04 + 0.2 * y ? 1 : 0.1),
  sky: (x, y) => Math.max(0, 1 - 9 * Math.hypot(x - 0.75, (y - 0.25) * 0.62)) + 0.25 * (1 - y),
  paper: (x, y) =>
    Math.sin(60 * y) > 0.6 && x > 0.12 && x < 0.6 + 0.25 * Math.sin(90 * Math.ceil(y * 9.5)) ? 1 : 0.05,
};

const COLOURS = {
  coast: [
    [214, 226, 232],
    [24, 74, 110],
  ],
  kitchen: [
    [246, 236, 217],
    [166, 101, 43],
  ],
  road: [
    [134, 158, 96],
    [92, 88, 84],
  ],
  sky: [
    [28, 34, 74],
    [250, 226, 150],
  ],
  paper: [
    [250, 247, 238],
    [52, 48, 60],
  ],
};

/** Returns the picture of a desk as the bytes of a PNG. */
export function drawPicture(desk, width = 1280, height = 800) {
  const [from, to] = COLOURS[desk];
  const rows = Buffer.alloc((width * 3 + 1) * height);
  let at = 0;
  for (let y = 0; y < height; y++) {
    rows[at++] = 0;
    for (let x = 0; x < width; x++) {
      const share = Math.min(1, Math.max(0, PATTERNS[desk](x / width, y / height)));
      for (let channel = 0; channel < 3; channel++) {
        rows[at++] = Math.round(from[channel] + (to[channel] - from[channel]) * share);
      }
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8); // 8 bits for each of red, green and blue
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
