/** The scopes for the whole API: everything, every GET, and every other method. Those of the areas `APART` are only part of the first. */
export const GENERAL_SCOPES = ['*', 'read', 'write'] as const;

/** The areas that decide who may do what. Whoever has `write` could otherwise get every scope. */
const APART: readonly string[] = ['keys', 'users'];

export function isApart(area: string): boolean {
  return APART.includes(area);
}

/** A scope that is limited to one content type. */
interface NarrowedScope {
  /** `content:read` of `content:read@post`. */
  scope: string;
  /** The public ID or the slug of the content type. */
  type: string;
}

const NARROWED =
  /^(content:(?:read|read:published|write|draft))@(ct_[0-7][0-9a-hjkmnp-tv-z]{25}|(?=.{1,100}$)[a-z0-9]+(?:-[a-z0-9]+)*)$/;

/** The scope of its area that a finer scope is a part of: `content:read` of `content:read:published`, `content:write` of `content:draft`. */
function wholeOf(scope: string): string | undefined {
  const [area = '', right = '', part] = scope.split(':');
  if (part !== undefined) return `${area}:${right}`;
  return right === 'draft' ? `${area}:write` : undefined;
}

/** Returns the parts of `content:read:published@post`; undefined for a scope that is not limited to a content type. */
export function readNarrowedScope(text: string): NarrowedScope | undefined {
  const [, scope, type] = NARROWED.exec(text) ?? [];
  return scope === undefined || type === undefined ? undefined : { scope, type };
}

/** Whether a key can have the scope: one of `known`, or one of them that is limited to a content type. */
export function isScope(text: string, known: readonly string[]): boolean {
  return known.includes(text) || known.includes(readNarrowedScope(text)?.scope ?? '');
}

/** Whether one of the scopes reads drafts of all content types. */
export function readsAllContent(scopes: Iterable<string>): boolean {
  return [...scopes].some((scope) => scope === '*' || scope === 'read' || scope === 'content:read');
}

/**
 * Returns why a key cannot have these scopes together; undefined if it can. What a key sees of entries is one answer for the whole key:
 * published entries only, or drafts too.
 */
export function conflictOf(scopes: readonly string[]): string | undefined {
  const bases = scopes.map((scope) => readNarrowedScope(scope)?.scope ?? scope);
  const readsDrafts = scopes.some((scope) => readNarrowedScope(scope)?.scope === 'content:read');
  if (!readsDrafts || readsAllContent(scopes) || !bases.includes('content:read:published')) return undefined;
  return 'cannot contain both content:read@<slug> and content:read:published: use two keys';
}

/** Whether a key with the scopes `own` may do all that `wanted` allows. Both name content types in the same way. */
export function covers(own: ReadonlySet<string>, wanted: string): boolean {
  if (own.has('*') || own.has(wanted)) return true;
  const narrowed = readNarrowedScope(wanted);
  if (narrowed) {
    const whole = wholeOf(narrowed.scope);
    return covers(own, narrowed.scope) || (whole !== undefined && own.has(`${whole}@${narrowed.type}`));
  }
  const whole = wholeOf(wanted);
  if (whole !== undefined) return covers(own, whole);
  const [area = '', right = ''] = wanted.split(':');
  return right !== '' && !isApart(area) && own.has(right);
}

/** Returns scopes that allow what both lists allow. Both name content types in the same way. */
export function commonScopes(some: readonly string[], others: readonly string[]): string[] {
  const own = new Set(some);
  const allowed = new Set(others);
  const within = (scopes: readonly string[], wide: ReadonlySet<string>) =>
    scopes.filter((scope) => covers(wide, scope));
  return [...new Set([...within(some, allowed), ...within(others, own)])];
}
