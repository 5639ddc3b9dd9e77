/** The unit of a tar file: a header takes one block, and contents are padded to whole blocks. */
export const BLOCK_BYTES = 512;

export interface TarEntry {
  name: string;
  /** Size of the content in bytes. */
  size: number;
}

const NAME = { start: 0, length: 100 };
const SIZE = { start: 124, length: 12 };
const CHECKSUM = { start: 148, length: 8 };
const TYPE_AT = 156;
const MAGIC = { start: 257, text: 'ustar\x0000' };
/** Sizes from this one on do not fit into eleven octal digits. */
const LARGE = 8 ** 11;

/**
 * Returns the header block of a regular file with mode 0600: POSIX 1003.1 (ustar), with sizes from 8 GiB on in GNU's binary form. Throws if
 * the name does not fit.
 */
export function encodeHeader({ name, size }: TarEntry, modified: Date): Buffer {
  if (Buffer.byteLength(name) > NAME.length) throw new RangeError(`The name is too long for a tar file: ${name}`);
  const block = Buffer.alloc(BLOCK_BYTES);
  block.write(name, NAME.start);
  block.write('0000600\x000000000\x000000000\x00', 100);
  writeSize(block, size);
  block.write(`${octal(Math.floor(modified.getTime() / 1000), 11)}\x00`, 136);
  block.write('0', TYPE_AT);
  block.write(MAGIC.text, MAGIC.start);
  block.write(checksumOf(block), CHECKSUM.start);
  return block;
}

/** Returns undefined for a block of zeros, which ends the file. Throws if the block is not the valid header of a regular file. */
export function decodeHeader(block: Buffer): TarEntry | undefined {
  if (block.every((byte) => byte === 0)) return undefined;
  const checksum = block.toString('latin1', CHECKSUM.start, CHECKSUM.start + CHECKSUM.length);
  const isFile = block[TYPE_AT] === 0x30 && block.toString('latin1', MAGIC.start, MAGIC.start + 5) === 'ustar';
  if (!isFile || checksum !== checksumOf(block)) throw new Error('This is not a valid file header of a tar file.');
  return { name: textAt(block, NAME), size: readSize(block) };
}

/** Returns the number of bytes that pad a content to a whole block. */
export function paddingOf(size: number): number {
  return (BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES;
}

function writeSize(block: Buffer, size: number): void {
  if (size < LARGE) {
    block.write(`${octal(size, 11)}\x00`, SIZE.start);
  } else {
    block[SIZE.start] = 0x80;
    block.writeBigUInt64BE(BigInt(size), SIZE.start + 4);
  }
}

function readSize(block: Buffer): number {
  const isBinary = block[SIZE.start] === 0x80;
  const size = isBinary ? Number(block.readBigUInt64BE(SIZE.start + 4)) : parseInt(textAt(block, SIZE), 8);
  if (!Number.isSafeInteger(size)) throw new Error('The tar file contains an invalid file size.');
  return size;
}

/** Returns the checksum field: the sum of all bytes, with spaces in place of the checksum itself. */
function checksumOf(block: Buffer): string {
  const { start, length } = CHECKSUM;
  const sum = block.reduce((total, byte, at) => total + (at >= start && at < start + length ? 0x20 : byte), 0);
  return `${octal(sum, 6)}\x00 `;
}

function textAt(block: Buffer, { start, length }: { start: number; length: number }): string {
  const [text = ''] = block.toString('utf8', start, start + length).split('\x00');
  return text;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}
