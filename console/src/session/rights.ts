import type { EnteredTenant } from '../api/sessions';

/** Whether the session may do in the tenant what a scope such as `users:read` allows, for all content types. */
export function may({ scopes }: Pick<EnteredTenant, 'scopes'>, scope: string): boolean {
  return covers(scopes, scope);
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
