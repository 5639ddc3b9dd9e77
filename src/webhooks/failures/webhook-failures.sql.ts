import { statement } from '../../database/statements/statement.js';
import type { DisabledReason } from '../webhook.entity.js';

/** How long all attempts must fail until the tenant is told. */
export const FAILING_AFTER = `interval '1 hour'`;

/** Notes that the tenant is told. Returns no row if it was told already, or the webhook is inactive or succeeded in the meantime. */
export const NOTE_NOTIFIED = statement<{ webhookId: string }, { id: string }>()(
  'webhooks.note_notified',
  `UPDATE webhooks SET failing_notified_at = now(), notices = notices + 1
    WHERE tenant_id = :tenantId AND id = :webhookId AND active AND failing_notified_at IS NULL AND failing_since IS NOT NULL
    RETURNING id`,
);

/** When an active webhook that fails has failed for an hour, if the tenant was not told yet. ISO 8601. */
export const FAILS_FOR_LONG = statement<{ webhookId: string }, { at: string; isOver: boolean }>()(
  'webhooks.fails_for_long',
  `SELECT failing_since + ${FAILING_AFTER} AS at, failing_since + ${FAILING_AFTER} <= now() AS "isOver" FROM webhooks
    WHERE tenant_id = :tenantId AND id = :webhookId AND active AND failing_notified_at IS NULL AND failing_since IS NOT NULL`,
);

/** Makes a webhook inactive. Returns no row if it is inactive already, or no longer exists. */
export const DISABLE = statement<{ webhookId: string; reason: DisabledReason }, { id: string }>()(
  'webhooks.disable',
  `UPDATE webhooks SET active = false, disabled_reason = :reason, notices = notices + 1
    WHERE tenant_id = :tenantId AND id = :webhookId AND active RETURNING id`,
);
