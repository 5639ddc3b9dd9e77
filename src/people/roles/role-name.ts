import { lowered } from '../../fields/formats/text.js';
import { withoutInvisible } from '../../search/fold-words.js';

/** Returns the spelling by which names of roles are compared: case, white space and what cannot be seen make no difference. */
export function roleNameKey(name: string): string {
  return lowered(withoutInvisible(name.normalize('NFKC')))
    .replace(/\s+/g, ' ')
    .trim();
}
