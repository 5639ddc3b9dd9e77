/** Bytes of valid, damaged and malicious files. */
import { deflateSync, crc32 } from 'node:zlib';
import sharp from 'sharp';

const picture = (width, height) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 60, b: 20 } } });
const svg = (inside, head = '') =>
  Buffer.from(
    `<?xml version="1.0"?>${head}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="64" height="48">${inside}</svg>`,
  );

/** Files that the service accepts. */
export const GOOD_FILES = {
  png: await picture(64, 48).png().toBuffer(),
  jpeg: await picture(65, 49).jpeg().toBuffer(),
  webp: await picture(40, 30).webp().toBuffer(),
  gif: await picture(40, 30).gif().toBuffer(),
  svg: svg('<rect width="10" height="10"/>'),
  txt: Buffer.from('A note.\nWith two lines.\n'),
  json: Buffer.from('{"a": [1, 2, 3]}'),
  pdf: Buffer.from('%PDF-1.4\n1 0 obj\n<</Type/Catalog>>\nendobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'),
};

export const HOSTILE_FILES = {
  nothing: Buffer.alloc(0),
  noise: Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 7_919) % 251)),
  zeros: Buffer.alloc(100_000),
  halfPng: GOOD_FILES.png.subarray(0, GOOD_FILES.png.length / 2),
  headOfPng: GOOD_FILES.png.subarray(0, 8),
  halfJpeg: GOOD_FILES.jpeg.subarray(0, 200),
  headOfGif: Buffer.from('GIF89a\xff\xff\xff\xff', 'latin1'),
  hugePng: claiming(GOOD_FILES.png, 60_000, 60_000),
  widestPng: claiming(GOOD_FILES.png, 2 ** 31 - 1, 1),
  emptyPng: claiming(GOOD_FILES.png, 0, 0),
  bombPng: bomb(9_000),
  program: Buffer.concat([Buffer.from('MZ\x90\x00\x03\x00\x00\x00', 'latin1'), Buffer.alloc(200)]),
  elf: Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01', 'latin1'), Buffer.alloc(200)]),
  html: Buffer.from('<!doctype html><script>alert(1)</script>'),
  utf16: Buffer.from('\ufeffhello', 'utf16le'),
  svgEntities: svg('<text>&lol9;</text>', entityBomb()),
  svgFile: svg('<text>&file;</text>', '<!DOCTYPE svg [<!ENTITY file SYSTEM "file:///etc/passwd">]>'),
  svgRemote: svg('<image xlink:href="http://127.0.0.1:1/x.png" width="9" height="9"/>'),
  svgUses: svg(nestedUses(9)),
  svgFilter: svg(
    '<filter id="f"><feGaussianBlur stdDeviation="900000"/></filter><rect width="9e9" height="9e9" filter="url(#f)"/>',
  ),
  svgHuge: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1e9" height="1e9"/>'),
  svgDeep: svg(`${'<g>'.repeat(20_000)}${'</g>'.repeat(20_000)}`),
  svgOpen: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><g'),
  gzip: Buffer.from('H4sIAAAAAAAAA0vOzy0oSi0uTk0BAHTNS1sJAAAA', 'base64'),
};

/** A PNG whose header claims other dimensions. */
function claiming(png, width, height) {
  const copy = Buffer.from(png);
  copy.writeUInt32BE(width, 16);
  copy.writeUInt32BE(height, 20);
  copy.writeUInt32BE(crc32(copy.subarray(12, 29)), 29);
  return copy;
}

/** A PNG of a few kilobytes that is `side` pixels wide and high. */
function bomb(side) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const data = deflateSync(Buffer.alloc((Math.ceil(side / 8) + 1) * side), { level: 9 });
  return Buffer.concat([GOOD_FILES.png.subarray(0, 8), chunk('IHDR', header), chunk('IDAT', data), chunk('IEND')]);
}

function chunk(type, data = Buffer.alloc(0)) {
  const body = Buffer.concat([Buffer.from(type), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

function entityBomb() {
  const entities = Array.from({ length: 9 }, (_, index) => `<!ENTITY lol${index + 1} "${`&lol${index};`.repeat(10)}">`);
  return `<!DOCTYPE svg [<!ENTITY lol0 "lol">${entities.join('')}]>`;
}

function nestedUses(levels) {
  const groups = Array.from(
    { length: levels },
    (_, level) => `<g id="g${level + 1}">${`<use xlink:href="#g${level}"/>`.repeat(10)}</g>`,
  );
  return `<defs><rect id="g0" width="1" height="1"/>${groups.join('')}</defs><use xlink:href="#g${levels}"/>`;
}
