/** A mail for each submission (`$2` to a form of `$3`) whose form has an address to notify; none that is there already. */
export const WRITE = {
  name: 'mails.write',
  text: `INSERT INTO mails (tenant_id, submission_id, form_id, recipient, status, attempts, next_attempt_at, created_at)
    SELECT $1, s.id, f.id, f.notify_email, 'pending', 0, now(), now()
    FROM unnest($2::uuid[], $3::uuid[]) AS s (id, form_id) JOIN forms f ON f.tenant_id = $1 AND f.id = s.form_id
    WHERE f.notify_email IS NOT NULL
    ON CONFLICT DO NOTHING
    RETURNING 1`,
};

const IS_DUE = `status = 'pending' AND next_attempt_at <= now() AND (claimed_until IS NULL OR claimed_until <= now())`;

/** Takes the mail that is due longest for `$2` milliseconds, with all that it is composed of. */
export const CLAIM = {
  name: 'mails.claim',
  text: `WITH due AS (
      SELECT submission_id FROM mails WHERE tenant_id = $1 AND ${IS_DUE}
      ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED
    ), claimed AS (
      UPDATE mails m SET claimed_until = now() + $2::integer * interval '1 millisecond'
      FROM due WHERE m.tenant_id = $1 AND m.submission_id = due.submission_id
      RETURNING m.submission_id, m.form_id, m.recipient, m.attempts, m.claimed_until
    )
    SELECT c.submission_id AS "submissionId", c.form_id AS "formId", c.recipient, c.attempts,
      c.claimed_until AS "claimedUntil", f.name AS "formName", f.fields AS definitions,
      s.fields AS values, s.created_at AS "submittedAt"
    FROM claimed c
    LEFT JOIN forms f ON f.tenant_id = $1 AND f.id = c.form_id
    LEFT JOIN submissions s ON s.tenant_id = $1 AND s.form_id = c.form_id AND s.id = c.submission_id`,
};

/** Whoever sent it: another worker that took it over meanwhile need not send it once more. */
export const SENT = {
  name: 'mails.sent',
  text: `UPDATE mails SET status = 'sent', attempts = attempts + 1, next_attempt_at = NULL, claimed_until = NULL,
      finished_at = now()
    WHERE tenant_id = $1 AND submission_id = $2 AND status = 'pending'`,
};

/** Another attempt in `$5` milliseconds, or none where that is null; only by the worker whose claim (`$3`) still stands. */
export const REFUSED = {
  name: 'mails.refused',
  text: `UPDATE mails SET attempts = attempts + 1, claimed_until = NULL, last_error = $4,
      status = CASE WHEN $5::integer IS NULL THEN 'failed' ELSE status END,
      finished_at = CASE WHEN $5::integer IS NULL THEN now() END,
      next_attempt_at = now() + $5::integer * interval '1 millisecond'
    WHERE tenant_id = $1 AND submission_id = $2 AND claimed_until = $3::timestamptz AND status = 'pending'`,
};

export const TENANTS_WITH_DUE = {
  name: 'mails.tenants_with_due',
  text: `SELECT t.id AS "tenantId" FROM tenants t
    WHERE EXISTS (SELECT 1 FROM mails m WHERE m.tenant_id = t.id AND ${IS_DUE})`,
};

export const HAS_DUE = {
  name: 'mails.has_due',
  text: `SELECT 1 FROM mails WHERE tenant_id = $1 AND ${IS_DUE} LIMIT 1`,
};

/** Some of the finished mails about submissions below `$2`. */
export const PRUNE = {
  name: 'mails.prune',
  text: `DELETE FROM mails m USING (
      SELECT submission_id FROM mails
      WHERE tenant_id = $1 AND submission_id < $2 AND status <> 'pending' LIMIT 1000
    ) old
    WHERE m.tenant_id = $1 AND m.submission_id = old.submission_id
    RETURNING 1`,
};
