import type { FieldDefinition } from '../../../api/content-types';
import { labelOf } from '../../content/fields';

/** What people call the field at a path such as `sections.author`: `Sections › Author`. */
export function labelOfPath(fields: readonly FieldDefinition[], path: string): string {
  const [name = '', ...rest] = path.split('.');
  const field = fields.find((each) => each.name === name);
  const label = field ? labelOf(field) : name;
  if (rest.length === 0) return label;
  // Blocks of several kinds may have a field of the same name.
  const inner = [...(field?.fields ?? []), ...(field?.blocks ?? []).flatMap((block) => block.fields)];
  return `${label} › ${labelOfPath(inner, rest.join('.'))}`;
}
