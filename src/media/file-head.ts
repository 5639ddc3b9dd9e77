import { open } from 'node:fs/promises';

/** Enough to tell texts apart, and to find the root element of an SVG. */
const HEAD_BYTES = 64 * 1024;

/** The beginning of the file at `path`; `whole` says that it is all of it. */
export async function readHead(path: string): Promise<{ head: Buffer; whole: boolean }> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(HEAD_BYTES), length: HEAD_BYTES });
    return { head: buffer.subarray(0, bytesRead), whole: (await file.stat()).size === bytesRead };
  } finally {
    await file.close();
  }
}
