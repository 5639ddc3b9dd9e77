/** What the data of the events `$2` says of the submissions that they are about. */
export const SUBMITTED = {
  name: 'mails.submitted',
  text: `SELECT e.id, e.data ->> 'id' AS submission, e.data ->> 'form_id' AS form
    FROM unnest($2::uuid[]) WITH ORDINALITY AS n (id, place) CROSS JOIN LATERAL (
      SELECT id, data FROM events WHERE tenant_id = $1 AND id = n.id LIMIT 1
    ) AS e ORDER BY n.place`,
};

/** Of the submissions `$2` to forms `$3` those that need a mail and have none yet. */
const NEW = `SELECT s.id, f.id AS form_id, f.notify_email AS recipient
    FROM unnest($2::uuid[], $3::uuid[]) AS s (id, form_id) JOIN forms f ON f.tenant_id = $1 AND f.id = s.form_id
    WHERE f.notify_email IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM mails m WHERE m.tenant_id = $1 AND m.submission_id = s.id)`;

const IS_SAME_HOUR = `h.began_at > now() - interval '1 hour'`;

/**
 * Counts submissions (`$2` to forms `$3`) in the hour of their form and recipient, which it locks: whoever writes mails of this form next
 * waits. An hour that follows one with more than `$4` submissions gathers.
 */
export const COUNT = {
  name: 'mails.count',
  text: `INSERT INTO mail_hours AS h (tenant_id, form_id, recipient, began_at, submissions, gathers)
    SELECT $1, n.form_id, n.recipient, now(), count(*), false FROM (${NEW}) n
    GROUP BY n.form_id, n.recipient ORDER BY n.form_id, n.recipient
    ON CONFLICT (tenant_id, form_id, recipient) DO UPDATE SET
      began_at = CASE WHEN ${IS_SAME_HOUR} THEN h.began_at ELSE excluded.began_at END,
      submissions = excluded.submissions + CASE WHEN ${IS_SAME_HOUR} THEN h.submissions ELSE 0 END,
      gathers = CASE WHEN ${IS_SAME_HOUR} THEN h.gathers
        ELSE h.submissions > $4::integer AND h.began_at > now() - interval '2 hours' END
    RETURNING 1`,
};

/**
 * Writes a mail for each of the submissions, after `COUNT` in the same transaction: the first `$4` of an hour are due at once. The others
 * join the digest that is open, or the first of them opens one: due in `$5` milliseconds, in an hour that gathers in `$6`. Returns the
 * forms that opened one.
 */
export const WRITE = {
  name: 'mails.write',
  text: `WITH new AS (
      SELECT n.*, row_number() OVER (PARTITION BY n.form_id, n.recipient ORDER BY n.id DESC) AS from_end FROM (${NEW}) n
    ), placed AS (
      SELECT n.id, n.form_id, n.recipient, h.digest_id AS open, h.gathers,
        h.gathers OR h.submissions - n.from_end >= $4::integer AS is_over
      FROM new n JOIN mail_hours h ON h.tenant_id = $1 AND h.form_id = n.form_id AND h.recipient = n.recipient
    ), digests AS (
      SELECT form_id, recipient, coalesce(open, (array_agg(id ORDER BY id))[1]) AS id FROM placed
      WHERE is_over GROUP BY form_id, recipient, open
    ), opened AS (
      UPDATE mail_hours h SET digest_id = d.id FROM digests d
      WHERE h.tenant_id = $1 AND h.form_id = d.form_id AND h.recipient = d.recipient AND h.digest_id IS NULL
      RETURNING h.form_id
    ), written AS (
      INSERT INTO mails (tenant_id, submission_id, form_id, recipient, status, digest_id, attempts, next_attempt_at, created_at)
      SELECT $1, p.id, p.form_id, p.recipient,
        CASE WHEN d.id IS NULL OR d.id = p.id THEN 'pending' ELSE 'gathered' END, d.id, 0,
        CASE WHEN d.id IS NULL THEN now()
          WHEN d.id = p.id THEN now() + CASE WHEN p.gathers THEN $6::integer ELSE $5::integer END * interval '1 millisecond' END,
        now()
      FROM placed p LEFT JOIN digests d ON p.is_over AND d.form_id = p.form_id AND d.recipient = p.recipient
    )
    SELECT form_id AS "formId" FROM opened`,
};

const IS_DUE = `status = 'pending' AND next_attempt_at <= now() AND (claimed_until IS NULL OR claimed_until <= now())`;

/**
 * Takes the mail that is due longest for `$2` milliseconds, with all that it is composed of, but for a digest's submissions. A digest takes
 * no more of them from now on: this waits for transactions that are adding some.
 */
export const CLAIM = {
  name: 'mails.claim',
  text: `WITH due AS (
      SELECT submission_id FROM mails WHERE tenant_id = $1 AND ${IS_DUE}
      ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED
    ), claimed AS (
      UPDATE mails m SET claimed_until = now() + $2::integer * interval '1 millisecond'
      FROM due WHERE m.tenant_id = $1 AND m.submission_id = due.submission_id
      RETURNING m.submission_id, m.form_id, m.recipient, m.digest_id, m.attempts, m.claimed_until
    ), closed AS (
      UPDATE mail_hours h SET digest_id = NULL FROM claimed c
      WHERE h.tenant_id = $1 AND h.form_id = c.form_id AND h.recipient = c.recipient AND h.digest_id = c.digest_id
    )
    SELECT c.submission_id AS "submissionId", c.form_id AS "formId", c.recipient, c.digest_id IS NOT NULL AS "isDigest", c.attempts,
      c.claimed_until AS "claimedUntil", f.name AS "formName", f.fields AS definitions,
      s.fields AS values, s.created_at AS "submittedAt"
    FROM claimed c
    LEFT JOIN forms f ON f.tenant_id = $1 AND f.id = c.form_id
    LEFT JOIN submissions s ON s.tenant_id = $1 AND s.form_id = c.form_id AND s.id = c.submission_id`,
};

/**
 * The first submissions of the claimed digest `$2` of the form `$3`: at most `$4`, and at most `$5` bytes of values unless the first alone
 * has more; each with the number of all of them. In a statement of its own, since it must see what `CLAIM` waited for.
 */
export const DIGEST = {
  name: 'mails.digest',
  text: `WITH first AS (
      SELECT submission_id FROM mails WHERE tenant_id = $1 AND digest_id = $2 ORDER BY submission_id LIMIT $4::integer
    ), weighed AS (
      SELECT s.id, s.fields, s.created_at, row_number() OVER place AS place, sum(octet_length(s.fields::text)) OVER place AS bytes
      FROM first JOIN submissions s ON s.tenant_id = $1 AND s.form_id = $3 AND s.id = first.submission_id
      WINDOW place AS (ORDER BY s.id)
    )
    SELECT id, fields AS values, created_at AS "submittedAt",
      (SELECT count(*) FROM mails WHERE tenant_id = $1 AND digest_id = $2) AS total
    FROM weighed WHERE bytes <= $5::integer OR place = 1 ORDER BY id`,
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

/** Some of the finished mails about submissions below `$2`; none that a digest yet to be sent lists. */
export const PRUNE = {
  name: 'mails.prune',
  text: `DELETE FROM mails m USING (
      SELECT o.submission_id FROM mails o
      WHERE o.tenant_id = $1 AND o.submission_id < $2 AND o.status <> 'pending' AND NOT EXISTS (
        SELECT 1 FROM mails d WHERE d.tenant_id = $1 AND d.submission_id = o.digest_id AND d.status = 'pending'
      ) LIMIT 1000
    ) old
    WHERE m.tenant_id = $1 AND m.submission_id = old.submission_id
    RETURNING 1`,
};
