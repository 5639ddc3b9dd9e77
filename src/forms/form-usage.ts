import { type NoParameters, statement } from '../database/statements/statement.js';
import type { LimitedResource, Used } from '../tenants/limits.js';

/** Spam is stored, so it counts too. */
const SUBMISSIONS_USED = statement<NoParameters, Used>()(
  'submission_counts.used',
  'SELECT coalesce(sum(submissions + spam), 0)::bigint AS used FROM submission_counts WHERE tenant_id = :tenantId',
);

/** A tenant has few forms, so they are counted. */
export const FORMS_USED = statement<NoParameters, Used>()(
  'forms.used',
  'SELECT count(*) AS used FROM forms WHERE tenant_id = :tenantId',
);

/** Submissions that an import commits together. */
const MAX_IMPORTED = 500;

export const SUBMISSIONS: LimitedResource = {
  name: 'submissions',
  used: SUBMISSIONS_USED,
  single: 1,
  batch: MAX_IMPORTED,
};
