import { ValidateIf } from 'class-validator';

/** For an optional JSON property: it is not checked if it is missing. Null is a value, and is checked. */
export function IfPresent(): PropertyDecorator {
  return ValidateIf((_object, value) => value !== undefined);
}
