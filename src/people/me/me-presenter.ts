import { presentHolder, type SessionHolder } from '../sessions/session-presenter.js';
import type { MeDto } from './me.dto.js';

/** What a session shows of who has it, and what a person may set of each membership. */
export function presentMe(holder: SessionHolder): MeDto {
  const { tenants, ...who } = presentHolder(holder);
  if ('key' in holder) return { ...who, tenants };
  const notices = new Map(holder.memberships.map(({ tenant, member }) => [tenant.id, member.notifyReviews]));
  return { ...who, tenants: tenants.map((tenant) => ({ ...tenant, notify_reviews: notices.get(tenant.id) })) };
}
