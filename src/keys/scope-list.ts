import { ArrayMaxSize, ArrayMinSize, IsArray } from 'class-validator';
import { EachItem, UniqueItems } from '../validation/unique-items.js';

const MAX_SCOPES = 100;
/** Known scopes are a matter of the installed modules. */
const SCOPE = /^[!-~]{1,150}$/;

/** The OpenAPI schema of `IsScopes`. */
export const scopesSchema = {
  type: 'array' as const,
  items: { type: 'string' as const },
  minItems: 1,
  maxItems: MAX_SCOPES,
  uniqueItems: true,
};

/** For the scopes of a key or a role. `KeyScopes` checks whether there are such scopes. */
export function IsScopes(): PropertyDecorator {
  const names = { max: MAX_SCOPES, message: 'scopes must be a list of the names of scopes' };
  const checks = [
    EachItem(names, (scope) => typeof scope === 'string' && SCOPE.test(scope)),
    UniqueItems({ max: MAX_SCOPES, message: 'scopes must be different' }),
    ArrayMaxSize(MAX_SCOPES, { message: `scopes must be a list with at most ${MAX_SCOPES} scopes` }),
    ArrayMinSize(1, { message: 'scopes must be a list with at least one scope' }),
    IsArray({ message: 'scopes must be a list' }),
  ];
  return (target, property) => checks.forEach((check) => check(target, property));
}
