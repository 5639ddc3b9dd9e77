import type { ContentType } from '../../../api/content-types';
import { countedAs } from '../../../parts/numbers';
import { labelOf } from '../../content/fields';

/** Labels that are listed. */
const SHOWN = 5;

/** `Title, Price and 3 more` */
export function labelsOf({ fields }: ContentType, names: readonly string[]): string {
  const labels = names.map((name) => labelOf(fields.find((field) => field.name === name) ?? { name }));
  const more = labels.length - SHOWN;
  const shown = labels.slice(0, SHOWN).join(', ');
  return more > 0 ? `${shown} and ${countedAs(more, 'more', 'more')}` : shown;
}
