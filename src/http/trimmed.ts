import { Transform } from 'class-transformer';

/** Surrounding white space is not part of the value. */
export function Trimmed(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));
}
