import { IsInt, IsString, Length, Max, Min } from 'class-validator';
import { IfPresent } from '../../validation/if-present.js';

/** Characters of a name in the settings of a form, such as that of a field. */
export const MAX_NAME = 64;

/** An optional integer. */
export function IsIntFrom(min: number, max: number): PropertyDecorator {
  const message = `must be an integer from ${min} to ${max}`;
  return (target, property) => {
    for (const check of [IfPresent(), IsInt({ message }), Min(min, { message }), Max(max, { message })]) {
      check(target, property);
    }
  };
}

export function IsTextOf(min: number, max: number): PropertyDecorator {
  return (target, property) => {
    for (const check of [
      IsString({ message: 'must be a string' }),
      Length(min, max, { message: `must have ${min} to ${max} characters` }),
    ]) {
      check(target, property);
    }
  };
}
