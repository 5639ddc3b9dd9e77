import { statement } from '../database/statements/statement.js';

/** Counts the notices of events since an ID, up to `:most`. */
export const RECENT_NOTICES = statement<{ since: string; most: number }, { total: number }>()(
  'mail_notices.recent',
  `SELECT count(*)::integer AS total FROM (
      SELECT 1 FROM mail_notices WHERE tenant_id = :tenantId AND event_id > :since::uuid ORDER BY event_id LIMIT :most::integer
    ) AS recent`,
);
