import { MAX_PRIVATE_BYTES } from '../../media/media-bytes.js';
import type { SentFile } from '../../http/bodies/form-files.js';
import { cleanName } from '../../media/files/file-name.js';
import { fileTypeOf } from '../../media/files/file-type.js';
import { isExecutable } from './executables.js';

/** Files of a submission. */
export const MAX_FILES = 10;
/** Bytes of all files of a submission. */
export const MAX_FILE_BYTES = MAX_PRIVATE_BYTES;

const UNKNOWN_TYPE = 'application/octet-stream';
const PLAIN = 'text/plain';
/** Types of plain text that no byte tells apart. */
const TEXT_TYPE =
  /^(?:text\/[a-z0-9][a-z0-9!#$&^_.+-]{0,63}|application\/(?:[a-z0-9][a-z0-9!#$&^_.-]{0,63}\+)?(?:json|sql|toml|x-ndjson|x-yaml|yaml))$/;

/** What the bytes and the name of a file tell about it. */
export interface Inspected {
  mimeType: string;
  isExecutable: boolean;
}

/** Reads what the file at `path` is from its bytes. Where they are plain text, the declared type counts, if it is one of text. */
export async function inspectFile(
  path: string,
  { filename, declaredType }: Pick<SentFile, 'filename' | 'declaredType'>,
): Promise<Inspected> {
  const type = await fileTypeOf(path, cleanName(filename));
  const found = type?.mime ?? UNKNOWN_TYPE;
  const mimeType = found === PLAIN && TEXT_TYPE.test(declaredType) ? declaredType : found;
  return { mimeType, isExecutable: await isExecutable(path, filename, found) };
}
