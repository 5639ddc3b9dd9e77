import { readNarrowedScope, readsAllContent } from '../../config/scopes.js';

/** The content types (public IDs or slugs) that a key is limited to, by right; undefined: all of them. */
export interface Narrowing {
  /** For each narrowed scope (`content:read`), the content types that it is limited to. */
  readonly types: ReadonlyMap<string, readonly string[]>;
  /** The content types that the narrowed scopes let it read. */
  readonly readable: readonly string[];
  /** The content types whose live entries the narrowed scopes let it change. */
  readonly writable: readonly string[];
  /** The content types of which the key sees anything; undefined: all. */
  readonly visible: readonly string[] | undefined;
}

const PUBLISHED = 'content:read:published';

/** Returns undefined for a key without narrowed scopes. */
export function narrowingOf(scopes: readonly string[]): Narrowing | undefined {
  const types = new Map<string, string[]>();
  for (const scope of scopes) {
    const narrowed = readNarrowedScope(scope);
    if (narrowed) types.set(narrowed.scope, [...(types.get(narrowed.scope) ?? []), narrowed.type]);
  }
  if (types.size === 0) return undefined;
  const seesAll = readsAllContent(scopes) || scopes.includes(PUBLISHED);
  const readable = ['content:read', PUBLISHED].flatMap((scope) => types.get(scope) ?? []);
  const writable = types.get('content:write') ?? [];
  return { types, readable, writable, visible: seesAll ? undefined : [...new Set([...types.values()].flat())] };
}

/** Finds content types by their names. The module `content` provides it. */
export abstract class ContentTypeNames {
  /** Returns the UUIDs of content types, by public ID or slug. A slug must exist now; public IDs are not looked up, so they take no query. */
  abstract find(tenantId: string, names: readonly string[]): Promise<ReadonlyMap<string, string>>;

  /** Same as `find`, only for content types that exist. */
  abstract existing(tenantId: string, names: readonly string[]): Promise<ReadonlyMap<string, string>>;
}
