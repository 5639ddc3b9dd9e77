import { FileTypeParser } from 'file-type/node';
import { readHead } from './file-head.js';
import { type FileType, isSvg, isUtf16, looksLikeText, typeOfText } from './text-type.js';

const TIMEOUT_MS = 5_000;

/** Types whose signature is two letters, with which a text can also begin. */
const WEAK = ['image/bmp', 'application/x-msdownload'];

/** Detects the type of the file at `path` from its bytes; undefined if it is unknown. */
export async function fileTypeOf(path: string, filename: string): Promise<FileType | undefined> {
  const { head, whole } = await readHead(path);
  const isText = looksLikeText(head);
  // Test this first, because the byte order mark of UTF-16 is half of the signature of an MP3.
  if (isUtf16(head)) return typeOfText(head, whole, filename);
  const found = await binaryType(path);
  if (found?.mime === 'application/xml') return isSvg(head.toString()) ? typeOfText(head, whole, filename) : found;
  if (found && !(isText && WEAK.includes(found.mime))) return found;
  return isText ? typeOfText(head, whole, filename) : undefined;
}

async function binaryType(path: string): Promise<FileType | undefined> {
  try {
    return await new FileTypeParser({ signal: AbortSignal.timeout(TIMEOUT_MS) }).fromFile(path);
  } catch {
    // The type of an incomplete or inconsistent file is unknown.
    return undefined;
  }
}
