import { OWNER } from '../../access/built-in-roles.js';
import { statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import { Problem } from '../../errors/problem.js';

const FIND_OTHER_OWNER = statement<
  { owner: string; exceptMember: string | null; exceptRole: string | null },
  { id: string }
>()(
  'members.find_other_owner',
  `SELECT m.id FROM members m
    WHERE m.tenant_id = :tenantId AND m.joined_at IS NOT NULL AND m.id IS DISTINCT FROM :exceptMember::uuid
      AND m.role_id = ANY (:owner::uuid || ARRAY(
        SELECT r.id FROM roles r WHERE r.tenant_id = :tenantId AND '*' = ANY (r.scopes) AND r.locales IS NULL AND r.id IS DISTINCT FROM :exceptRole::uuid
      ))
    LIMIT 1`,
);

const FIND_JOINED_WITH = statement<{ roleId: string }, { id: string }>()(
  'members.find_joined_with',
  'SELECT id FROM members WHERE tenant_id = :tenantId AND role_id = :roleId AND joined_at IS NOT NULL LIMIT 1',
);

/**
 * Whether the role allows everything, as that of owners does. One that is limited to locales does not: its members could not make somebody else an
 * owner.
 */
export function isOwning({ scopes, locales }: { scopes: readonly string[]; locales?: readonly string[] }): boolean {
  return scopes.includes('*') && locales === undefined;
}

/** Throws a 409 if no other joined member has `*`. Under the access lock. */
export async function assertNotLastOwner(transaction: Transaction, tenantId: string, memberId: string): Promise<void> {
  if (!(await hasOtherOwner(transaction, tenantId, memberId))) throw lastOwner();
}

/** Whether another joined member has `*`. Under the access lock. */
export async function hasOtherOwner(transaction: Transaction, tenantId: string, memberId: string): Promise<boolean> {
  const others = { owner: OWNER.id, exceptMember: memberId, exceptRole: null };
  return (await transaction.query(tenantId, FIND_OTHER_OWNER, others)).length > 0;
}

/** Throws a 409 if all joined members with `*` have it by this role. Under the access lock. */
export async function assertOwnersWithout(transaction: Transaction, tenantId: string, roleId: string): Promise<void> {
  if ((await transaction.query(tenantId, FIND_JOINED_WITH, { roleId })).length === 0) return;
  const others = { owner: OWNER.id, exceptMember: null, exceptRole: roleId };
  if ((await transaction.query(tenantId, FIND_OTHER_OWNER, others)).length === 0) throw lastOwner();
}

function lastOwner(): Problem {
  return new Problem(
    'conflict',
    'The last member who may do everything cannot be removed or given less. Make somebody else an owner first.',
  );
}
