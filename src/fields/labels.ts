import { trimBlanks } from '../validation/blank.js';
import type { FieldDefinition } from './field-definition.js';

/** Returns the label of a field, or words made of its name. */
export function labelOf({ label, name }: Pick<FieldDefinition, 'label' | 'name'>): string {
  return trimBlanks(label ?? '') || readableName(name);
}

/** `first_name`, `first-name` and `firstName` are `First name`. Abbreviations in capital letters stay: `VAT number`. */
function readableName(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[\s_-]+/)
    .filter((word) => word !== '')
    .map((word) => (/^[A-Z0-9]{2,}$/.test(word) ? word : word.toLowerCase()));
  const text = words.join(' ') || name;
  return text.charAt(0).toUpperCase() + text.slice(1);
}
