import { FileTypeParser } from 'file-type/node';
import { readHead } from './file-head.js';
import { type FileType, isSvg, isUtf16, looksLikeText, typeOfText } from './text-type.js';

const TIMEOUT_MS = 5_000;

/** Types that are told by two letters, with which a text may begin as well. */
const WEAK = ['image/bmp', 'application/x-msdownload'];

/** The type of the file at `path`, read from its bytes; undefined when it is none that is known. */
export async function fileTypeOf(path: string, filename: string): Promise<FileType | undefined> {
  const { head, whole } = await readHead(path);
  const isText = looksLikeText(head);
  // Half of the signature of an MP3 is the mark that UTF-16 begins with.
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
    // A file that breaks off or contradicts itself while it is looked into is of no type.
    return undefined;
  }
}
