import type { Renames } from '../../fields/changes/renames.js';
import { otherCodes } from '../../fields/localized/locale-settings.js';
import { nameIn } from '../../fields/localized/localized-names.js';
import type { ContentType } from '../content-type.entity.js';

/** The renames of what is stored: also in each locale. */
export function storedRenames(renames: Renames, before: ContentType, after: ContentType): Renames {
  if (renames.size === 0 || (!before.locales && !after.locales)) return renames;
  const codes = new Set([before.locales, after.locales].flatMap((one) => (one ? otherCodes(one) : [])));
  const all = new Map(renames);
  for (const [to, from] of renames) {
    const [name = '', ...inside] = to.split('.');
    for (const code of codes) {
      if (inside.length > 0) all.set([nameIn(name, code), ...inside].join('.'), from);
      else all.set(nameIn(to, code), nameIn(from, code));
    }
  }
  return all;
}
