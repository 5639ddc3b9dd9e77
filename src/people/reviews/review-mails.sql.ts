import { statement } from '../../database/statements/statement.js';
import { type MemberRole, WITH_ROLE } from '../members/members.sql.js';

/** Counts the requests of events since an ID, up to `:most`. Returns no row if no member wants emails about reviews. */
export const RECENT_REQUESTS = statement<{ since: string; most: number }, { total: number }>()(
  'review_mails.recent',
  `SELECT (
      SELECT count(*)::integer FROM (
        SELECT 1 FROM review_mails WHERE tenant_id = :tenantId AND event_id > :since::uuid ORDER BY event_id LIMIT :most::integer
      ) AS recent
    ) AS total
    FROM members WHERE tenant_id = :tenantId AND notify_reviews AND joined_at IS NOT NULL LIMIT 1`,
);

/** A member who wants emails about reviews. */
export interface ReviewerRow {
  id: string;
  name: string;
  email: string;
}

/**
 * The first members with one of the roles who want emails about reviews, without the one who asks. Who came by a provider that has not verified their
 * address has none.
 */
export const FIND_REVIEWERS = statement<
  { roleIds: readonly string[]; asker: string | null; most: number },
  ReviewerRow
>()(
  'members.find_reviewers',
  `SELECT id, name, email FROM members
    WHERE tenant_id = :tenantId AND notify_reviews AND joined_at IS NOT NULL AND role_id = ANY (:roleIds::uuid[])
      AND email <> '' AND id IS DISTINCT FROM :asker::uuid
    ORDER BY id LIMIT :most::integer`,
);

/** The member, if they still want emails about reviews. */
export const FIND_REVIEWER = statement<{ id: string }, MemberRole>()(
  'members.find_reviewer',
  `SELECT ${WITH_ROLE} WHERE m.tenant_id = :tenantId AND m.id = :id AND m.notify_reviews AND m.joined_at IS NOT NULL`,
);
