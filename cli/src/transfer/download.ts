import { createWriteStream } from 'node:fs';
import { mkdir, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { TrivetError } from '@trivet/client';

/** A download that breaks off is begun again this often. */
const TRIES = 3;

interface Download {
  /** Where the file goes. */
  readonly path: string;
  /** The bytes that it must have. */
  readonly size: number;
  /** What the file is, for people. */
  readonly what: string;
  readonly signal: AbortSignal;
}

/** Writes the body of an answer into a file, unless the file is there with this size. The file is there as a whole, or not at all. */
export async function download({ path, size, what, signal }: Download, ask: () => Promise<Response>): Promise<void> {
  if ((await sizeOf(path)) === size) return;
  await mkdir(dirname(path), { recursive: true });
  for (let tries = 1; ; tries++) {
    try {
      const { body } = await ask();
      if (!body) throw new Error(`${what} has no content.`);
      await pipeline(Readable.fromWeb(body as never), createWriteStream(`${path}.part`), { signal });
      const written = await sizeOf(`${path}.part`);
      if (written !== size) throw new Error(`${what} has ${size} bytes, and ${written} arrived.`);
      return await rename(`${path}.part`, path);
    } catch (error) {
      if (tries === TRIES || signal.aborted || isRefused(error)) throw error;
    }
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ size }) => size,
    () => undefined,
  );
}

function isRefused(error: unknown): boolean {
  return error instanceof TrivetError && error.status >= 400 && error.status < 500;
}
