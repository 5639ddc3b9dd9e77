import { Transform } from 'class-transformer';
import { trimBlanks } from '../../validation/blank.js';

/** Removes what cannot be seen at both ends of a string. */
export function Trimmed(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? trimBlanks(value) : value));
}
