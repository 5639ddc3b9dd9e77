import { readNarrowedScope } from '../config/scopes.js';
import type { Caller } from '../http/caller.js';
import { ACCESS_RULE, type AccessRule } from './access.js';

/** Whether the scopes of a key allow the route of this handler, perhaps for some content types only. The guards decide about each request. */
export function mayCall({ scopes }: Caller, handler: object): boolean {
  const { scopes: allowed = [] } = (Reflect.getMetadata(ACCESS_RULE, handler) as AccessRule | undefined) ?? {};
  return [...scopes].some((scope) => allowed.includes(readNarrowedScope(scope)?.scope ?? scope));
}
