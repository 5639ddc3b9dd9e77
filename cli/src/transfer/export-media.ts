import { createWriteStream } from 'node:fs';
import { mkdir, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Contract } from '@trivet/client/request';
import type { Session } from '../session/session.js';
import { EXPORT } from './export-format.js';

/** A download that breaks off is begun again this often. */
const TRIES = 3;

/** Downloads a media file, unless it is there. */
export async function downloadMedia(session: Session, folder: string, media: Contract.Media): Promise<void> {
  const path = join(folder, EXPORT.mediaFile(media.id));
  if ((await sizeOf(path)) === media.size) return;
  await mkdir(dirname(path), { recursive: true });
  for (let tries = 1; ; tries++) {
    try {
      await download(session, media, path);
      return;
    } catch (error) {
      if (tries === TRIES || session.signal.aborted) throw error;
    }
  }
}

async function download({ trivet, signal }: Session, { url, size, id }: Contract.Media, path: string): Promise<void> {
  const file = decodeURIComponent(url.slice(url.lastIndexOf('/') + 1).replace(/\?.*$/, ''));
  const response = await trivet.request('getMediaFile', { path: { file }, signal, timeout: 0 });
  if (!response.body) throw new Error(`The media file ${id} has no content.`);
  await pipeline(Readable.fromWeb(response.body as never), createWriteStream(`${path}.part`), { signal });
  const written = await sizeOf(`${path}.part`);
  if (written !== size) throw new Error(`The media file ${id} has ${size} bytes, and ${written} arrived.`);
  await rename(`${path}.part`, path);
}

async function sizeOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ size }) => size,
    () => undefined,
  );
}
