import { MAX_PRIVATE_BYTES } from '../../media/media-bytes.js';
import { open } from 'node:fs/promises';
import type { ValueError } from '../../errors/problem.js';
import type { FieldDefinition } from '../../fields/field-definition.js';
import { DEFAULT_MAX_BYTES } from '../../fields/form-types/file.js';
import { firstCodePoints } from '../../fields/text.js';
import { fileTypeOf } from '../../media/file-type.js';
import { isBlank } from '../../validation/blank.js';

/** Files of a submission. */
export const MAX_FILES = 10;
/** Bytes of all files of a submission. */
export const MAX_FILE_BYTES = MAX_PRIVATE_BYTES;

const MAX_NAME = 150;
/** The name of a file whose own name has nothing that can be kept. */
export const NAMELESS = 'file';

/** Control characters, and characters that change the direction of text or are not visible: a name must not look like another one. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
/** Characters that file systems do not allow in names. */
const FORBIDDEN = /[<>:"|?*]/g;

/** Names of programs and scripts, by which systems run a file whatever it contains. */
const EXECUTABLE_NAME = /\.(?:apk|bat|cmd|com|exe|jar|js|lnk|msi|ps1|scr|vbs)$/i;
/** Types of programs, and of archives and links that systems run. */
const EXECUTABLE_TYPES: ReadonlySet<string> = new Set([
  'application/java-archive',
  'application/java-vm',
  'application/vnd.android.package-archive',
  'application/wasm',
  'application/x-elf',
  'application/x-mach-binary',
  'application/x-msdownload',
  'application/x.ms.shortcut',
]);
/** The first bytes of programs: ELF, Java classes and universal Mach-O, Mach-O, WebAssembly; and the link of a shell. */
const SIGNATURES = [
  '7f454c46',
  'cafebabe',
  'cafebabf',
  'feedface',
  'feedfacf',
  'cefaedfe',
  'cffaedfe',
  '0061736d',
  '4c00000001140200',
];
const SCRIPT = /^(?:\ufeff)?#!/;
const HEAD_BYTES = 512;

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

/** Returns a name for showing and saving a file: without folders and invisible characters, of at most 150 characters. */
export function cleanName(sent: string): string {
  const name = sent
    .toWellFormed()
    .split(/[/\\]/)
    .map((part) => part.replace(INVISIBLE, '').normalize('NFC').replace(FORBIDDEN, '_').trim())
    .findLast((part) => !isBlank(part) && !/^\.+$/.test(part));
  const kept = withoutEnd(name ?? '');
  const [extension = ''] = /\.[A-Za-z0-9]{1,10}$/.exec(kept) ?? [];
  const stem = kept.slice(0, kept.length - extension.length);
  return withoutEnd(firstCodePoints(stem, MAX_NAME - extension.length) + extension) || NAMELESS;
}

/** Leaves out the dots and spaces at the end of a name, as Windows does. */
function withoutEnd(name: string): string {
  return name.replace(/[.\s]+$/, '');
}

/**
 * Reads what the file at `path` is from its bytes. Where they are plain text, the declared type counts, if it is one of text. `name` is the
 * clean name.
 */
export async function inspectFile(
  path: string,
  { name, declaredType }: { name: string; declaredType: string },
): Promise<Inspected> {
  const found = (await fileTypeOf(path, name))?.mime ?? UNKNOWN_TYPE;
  const mimeType = found === PLAIN && TEXT_TYPE.test(declaredType) ? declaredType : found;
  const isExecutable = EXECUTABLE_NAME.test(name) || EXECUTABLE_TYPES.has(found) || (await beginsAsProgram(path));
  return { mimeType, isExecutable };
}

/** The library looks at more than the first bytes, and may take a program for something else. */
async function beginsAsProgram(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(HEAD_BYTES), length: HEAD_BYTES });
    const head = buffer.subarray(0, bytesRead);
    const hex = head.toString('hex', 0, 8);
    return (
      SIGNATURES.some((signature) => hex.startsWith(signature)) || SCRIPT.test(head.toString()) || isPortable(head)
    );
  } finally {
    await file.close();
  }
}

/** Programs of DOS and Windows begin with two letters, as a text may. */
function isPortable(head: Buffer): boolean {
  return head.toString('latin1', 0, 2) === 'MZ' && head.includes(0);
}

/** Bytes that each file of the field may have. `largest` is `MEDIA_MAX_BYTES`. */
export function maxBytesOf({ max_bytes: maxBytes = DEFAULT_MAX_BYTES }: FieldDefinition, largest: number): number {
  return Math.min(maxBytes, largest);
}

/** Returns an error for each field whose files may be larger than the service allows. */
export function checkFileLimits(fields: readonly FieldDefinition[], largest: number): ValueError[] {
  return fields.flatMap(({ max_bytes: maxBytes = 0 }, index) => {
    if (maxBytes <= largest) return [];
    const message = `max_bytes must be at most ${largest}, which is the limit of the service.`;
    return [{ path: `fields.${index}.max_bytes`, code: 'max', message }];
  });
}

/** Whether the field takes files of the type. Types have no case. */
export function accepts({ accept }: FieldDefinition, mimeType: string): boolean {
  if (accept === undefined) return true;
  const family = `${mimeType.slice(0, mimeType.indexOf('/'))}/*`;
  return accept.some((type) => [mimeType, family, '*/*'].includes(type.toLowerCase()));
}
