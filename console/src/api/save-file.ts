import { download } from './request';

interface Saving {
  readonly signal: AbortSignal;
  /** Called with the bytes that have come since the last call. */
  readonly onBytes: (bytes: number) => void;
}

/** Bytes that are kept as a piece of a file, which the browser may move to its disk. */
const PIECE = 16 * 1024 * 1024;

/** Reads a download of any length into a file. Throws an ApiProblem, and an Error if it breaks off. */
export async function readFile(path: string, { signal, onBytes }: Saving): Promise<Blob> {
  const response = await download(path, signal);
  const reader = response.body?.getReader();
  const pieces: Blob[] = [];
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let waiting = 0;
  const bundle = () => {
    pieces.push(new Blob(chunks));
    chunks = [];
    waiting = 0;
  };
  for (let read = await next(reader); read; read = await next(reader)) {
    chunks.push(read);
    waiting += read.length;
    onBytes(read.length);
    if (waiting >= PIECE) bundle();
  }
  bundle();
  return new Blob(pieces, { type: response.headers.get('Content-Type') ?? '' });
}

/** Gives the person a file of this name. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The download has begun by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

async function next(reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined) {
  const result = await reader?.read();
  return result?.value;
}
