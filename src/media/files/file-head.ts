import { open } from 'node:fs/promises';

/** Enough to distinguish types of text, and to find the root element of an SVG. */
const HEAD_BYTES = 64 * 1024;

/** Reads the beginning of the file at `path`. `whole` is true if that is the whole file. */
export async function readHead(path: string): Promise<{ head: Buffer; whole: boolean }> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(HEAD_BYTES), length: HEAD_BYTES });
    return { head: buffer.subarray(0, bytesRead), whole: (await file.stat()).size === bytesRead };
  } finally {
    await file.close();
  }
}
