import { firstCodePoints } from '../../fields/formats/text.js';
import { isBlank } from '../../validation/blank.js';

const MAX_NAME = 150;
/** The name of a file whose own name has nothing that can be kept. */
export const NAMELESS = 'file';

/** Control characters, and characters that change the direction of text or are not visible: a name must not look like another one. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
/**
 * Characters that mean something to file systems and shells, such as the colon before a stream of NTFS. A quotation mark means nothing to
 * them. It is frequent in names, and browsers replace it when they save a file.
 */
const FORBIDDEN = /[<>:|?*]/g;

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
