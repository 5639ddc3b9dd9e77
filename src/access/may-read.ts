import { JsonText } from '../http/http-adapter.js';
import type { Caller } from '../http/caller.js';
import type { Area } from '../modules/module-manifest.js';
import { PUBLISHED_ONLY, scopesOf } from './access.js';
import { lacksScope } from './scope-problems.js';

/** What an answer shows: resources of an area, or (`typeId`) an entry or the entries of a content type. */
export interface ReadableEntry {
  /** Undefined if the area is unknown, because its extension is off. */
  area: Area | undefined;
  /** The UUID of the content type. */
  typeId?: string;
  /** Whether it is a published entry, which keys for published entries may read too. */
  isPublished?: boolean;
}

/** Whether the caller may read this. Everything that a request learns without a route that reads asks here. */
export function mayRead(caller: Caller, { area, typeId, isPublished = false }: ReadableEntry): boolean {
  const { scopes, readTypes, publishedOnly } = caller;
  if (readScopes(area).some((scope) => scopes.has(scope))) return true;
  if (area !== 'content' || (publishedOnly && !isPublished)) return false;
  return scopes.has(PUBLISHED_ONLY) || (typeId !== undefined && readTypes?.has(typeId) === true);
}

/** Throws a 403 unless the caller may read this. */
export function assertMayRead(caller: Caller, shown: ReadableEntry): void {
  if (!mayRead(caller, shown)) throw lacksScope(readScopes(shown.area), caller.scopes);
}

/**
 * What the read-only properties of a body are compared with: the resource, or nothing for a caller that may not read it, because a comparison
 * would tell what is in it.
 */
export function comparable(caller: Caller, shown: ReadableEntry, present: () => object): object {
  return mayRead(caller, shown) ? present() : {};
}

/**
 * The answer to a write of a resource: `present` returns its JSON. A caller that may not read it gets no more than its ID, and a secret that the request had generated. Otherwise an empty
 * change would read the resource.
 */
export function writtenAnswer(
  caller: Caller,
  { id, secret, ...shown }: ReadableEntry & { id: string; secret?: string },
  present: () => string,
  headers?: Readonly<Record<string, string>>,
): JsonText {
  const data = mayRead(caller, shown) ? present() : JSON.stringify({ id, secret });
  return new JsonText(`{"data":${data}}`, headers);
}

/** The scopes that each allow reading the area, the narrowest last. */
export function readScopes(area: Area | undefined): string[] {
  return area === undefined ? ['*', 'read'] : scopesOf(area, 'read');
}
