import sharp from 'sharp';

/** Generated sample files of many formats. */
export const files = {
  png: (width = 40, height = 30) => picture(width, height).png().toBuffer(),
  jpeg: (width = 40, height = 30) => picture(width, height).jpeg().toBuffer(),
  webp: (width = 40, height = 30) => picture(width, height).webp().toBuffer(),
  gif: (width = 40, height = 30) => picture(width, height).gif().toBuffer(),
  avif: (width = 40, height = 30) => picture(width, height).avif({ effort: 0 }).toBuffer(),
  tiff: (width = 40, height = 30) => picture(width, height).tiff().toBuffer(),
  /** A JPEG with an orientation in its metadata: stored as 40 × 30, displayed as 30 × 40. */
  turned: () => picture(40, 30).withMetadata({ orientation: 6 }).jpeg().toBuffer(),
  /** A PNG of a few hundred bytes that claims these dimensions. */
  async bomb(width: number, height: number): Promise<Buffer> {
    const png = await picture(1, 1).png().toBuffer();
    png.writeUInt32BE(width, 16);
    png.writeUInt32BE(height, 20);
    png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
    return png;
  },
  /** Only the beginning of a HEIC, which is enough to recognize it. */
  heic: () => Buffer.concat([Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'), Buffer.alloc(64)]),
  svg: (content = '<rect width="10" height="10"/>') =>
    Buffer.from(
      `<?xml version="1.0"?>\n<!-- drawn -->\n<svg xmlns="http://www.w3.org/2000/svg" width="12" height="8">${content}</svg>`,
    ),
  pdf: () => Buffer.from('%PDF-1.4\n1 0 obj\n<</Type/Catalog>>\nendobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'),
  mp3: () =>
    Buffer.concat([
      Buffer.from('ID3\x03\x00\x00\x00\x00\x00\x0a'),
      Buffer.alloc(10),
      Buffer.from([0xff, 0xfb, 0x90, 0x64]),
      Buffer.alloc(413),
    ]),
  wav: () => Buffer.concat([Buffer.from('RIFF\x24\x00\x00\x00WAVEfmt \x10\x00\x00\x00', 'latin1'), Buffer.alloc(24)]),
  mp4: () =>
    Buffer.concat([Buffer.from('\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom', 'latin1'), Buffer.alloc(64)]),
  zip: () => zip({ 'a.txt': 'a' }),
  docx: () =>
    zip({
      '[Content_Types].xml': `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
      'word/document.xml': '<w/>',
    }),
  odt: () => zip({ mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': '<c/>' }),
  exe: () => Buffer.concat([Buffer.from('MZ\x90\x00\x03\x00\x00\x00', 'latin1'), Buffer.alloc(120)]),
};

function picture(width: number, height: number) {
  return sharp({ create: { width, height, channels: 3, background: { r: 200, g: 60, b: 20 } } });
}

/** A ZIP archive with uncompressed files. */
function zip(entries: Record<string, string>): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(entries)) {
    const data = Buffer.from(text);
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt32LE(crc32(data), 10);
    head.writeUInt32LE(data.length, 14);
    head.writeUInt32LE(data.length, 18);
    head.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), head, Buffer.from(name), data]);
    const record = Buffer.alloc(14);
    record.writeUInt32LE(offset, 10);
    central.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), head.subarray(0, 26), record, Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(central.length, 4);
  end.writeUInt16LE(central.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, directory, Buffer.from('PK\x05\x06'), end]);
}

export function crc32(bytes: Buffer): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}
