import type { EnteredTenant } from '../api/sessions';

/** Whether the session may do in the tenant what a scope such as `users:read` allows, for all content types. */
export function may({ scopes }: Pick<EnteredTenant, 'scopes'>, scope: string): boolean {
  return covers(scopes, scope);
}

/** Whether the session may do it for one thing of its kind at least: scopes may be narrowed to content types. */
export function maySome({ scopes }: Pick<EnteredTenant, 'scopes'>, scope: string): boolean {
  return scopes.some((own) => covers([own], own.includes('@') ? `${scope}@${own.split('@')[1]}` : scope));
}

/** Whether the session may do it for this content type. */
export function mayFor(
  { scopes }: Pick<EnteredTenant, 'scopes'>,
  scope: string,
  { id, slug }: { readonly id: string; readonly slug: string },
): boolean {
  return covers(scopes, `${scope}@${id}`) || covers(scopes, `${scope}@${slug}`);
}

/** A scope that reads a whole area. Those of keys and members stand apart. */
const READS_AN_AREA = /^(?!keys:|users:)[a-z_]+:read$/;

/** Whether the session may see what the tenant has and uses: it needs the right to read any area. */
export function maySeeUsage({ scopes }: Pick<EnteredTenant, 'scopes'>): boolean {
  return scopes.some((scope) => scope === '*' || scope === 'read' || READS_AN_AREA.test(scope));
}

/** Whether the scopes `own` allow all that `wanted` does, as the service decides it. */
export function covers(own: readonly string[], wanted: string): boolean {
  if (own.includes('*') || own.includes(wanted)) return true;
  const [base = '', type] = wanted.split('@');
  const [area = '', right = '', part] = base.split(':');
  const whole = part === undefined ? (right === 'draft' ? `${area}:write` : undefined) : `${area}:${right}`;
  if (type !== undefined) return covers(own, base) || (whole !== undefined && own.includes(`${whole}@${type}`));
  if (whole !== undefined) return covers(own, whole);
  return right !== '' && area !== 'keys' && area !== 'users' && own.includes(right);
}
