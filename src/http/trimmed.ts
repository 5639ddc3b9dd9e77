import { Transform } from 'class-transformer';

/** Removes white space at both ends of a string. */
export function Trimmed(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));
}
