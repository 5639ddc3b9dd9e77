import { statement } from '../database/statement.js';
import { claimDue, workStatements } from '../work/work.sql.js';

/** An event and the IDs in its data: `sub_…` and `frm_…`. */
export interface SubmittedRow {
  id: string;
  submission: string | null;
  form: string | null;
}

/** Reads the submissions that the events are about. */
export const SUBMITTED = statement<{ eventIds: readonly string[] }, SubmittedRow>()(
  'mails.submitted',
  `SELECT e.id, e.data ->> 'id' AS submission, e.data ->> 'form_id' AS form
    FROM unnest(:eventIds::uuid[]) WITH ORDINALITY AS n (id, place) CROSS JOIN LATERAL (
      SELECT id, data FROM events WHERE tenant_id = :tenantId AND id = n.id LIMIT 1
    ) AS e ORDER BY n.place`,
);

/** Submissions, each with its form at the same position in the other list. */
interface Submissions {
  submissionIds: readonly string[];
  formIds: readonly string[];
}

/** The submissions that need an email and do not have one. */
const NEW = `SELECT s.id, f.id AS form_id, f.notify_email AS recipient
    FROM unnest(:submissionIds::uuid[], :formIds::uuid[]) AS s (id, form_id)
    JOIN forms f ON f.tenant_id = :tenantId AND f.id = s.form_id
    WHERE f.notify_email IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM mails m WHERE m.tenant_id = :tenantId AND m.submission_id = s.id)` as const;

const IS_SAME_HOUR = `h.began_at > now() - interval '1 hour'`;

/**
 * Counts the submissions in the current hour of their form and recipient. It locks the rows of these hours, so that other transactions that
 * write emails of the form wait. An hour after one with more than `:hourlyLimit` submissions puts all of its submissions into digests.
 * Returns no row if no submission needs an email.
 */
export const COUNT = statement<Submissions & { hourlyLimit: number }, unknown>()(
  'mails.count',
  `INSERT INTO mail_hours AS h (tenant_id, form_id, recipient, began_at, submissions, gathers)
    SELECT :tenantId, n.form_id, n.recipient, now(), count(*), false FROM (${NEW}) n
    GROUP BY n.form_id, n.recipient ORDER BY n.form_id, n.recipient
    ON CONFLICT (tenant_id, form_id, recipient) DO UPDATE SET
      began_at = CASE WHEN ${IS_SAME_HOUR} THEN h.began_at ELSE excluded.began_at END,
      submissions = excluded.submissions + CASE WHEN ${IS_SAME_HOUR} THEN h.submissions ELSE 0 END,
      gathers = CASE WHEN ${IS_SAME_HOUR} THEN h.gathers
        ELSE h.submissions > :hourlyLimit::integer AND h.began_at > now() - interval '2 hours' END
    RETURNING 1`,
);

interface Write extends Submissions {
  hourlyLimit: number;
  /** The time from a digest's first submission until it is due. The second value is for an hour that puts all submissions into digests. */
  digestMs: number;
  gatheringDigestMs: number;
}

/**
 * Writes an email for each submission, after `COUNT` in the same transaction. The first `:hourlyLimit` of an hour are due at once. The
 * others are added to the open digest. If no digest is open, the first of them opens one. Returns the forms that opened one.
 */
export const WRITE = statement<Write, { formId: string }>()(
  'mails.write',
  `WITH new AS (
      SELECT n.*, row_number() OVER (PARTITION BY n.form_id, n.recipient ORDER BY n.id DESC) AS from_end FROM (${NEW}) n
    ), placed AS (
      SELECT n.id, n.form_id, n.recipient, h.digest_id AS open, h.gathers,
        h.gathers OR h.submissions - n.from_end >= :hourlyLimit::integer AS is_over
      FROM new n JOIN mail_hours h ON h.tenant_id = :tenantId AND h.form_id = n.form_id AND h.recipient = n.recipient
    ), digests AS (
      SELECT form_id, recipient, coalesce(open, (array_agg(id ORDER BY id))[1]) AS id FROM placed
      WHERE is_over GROUP BY form_id, recipient, open
    ), opened AS (
      UPDATE mail_hours h SET digest_id = d.id FROM digests d
      WHERE h.tenant_id = :tenantId AND h.form_id = d.form_id AND h.recipient = d.recipient AND h.digest_id IS NULL
      RETURNING h.form_id
    ), written AS (
      INSERT INTO mails (tenant_id, submission_id, form_id, recipient, status, digest_id, attempts, next_attempt_at, created_at)
      SELECT :tenantId, p.id, p.form_id, p.recipient,
        CASE WHEN d.id IS NULL OR d.id = p.id THEN 'pending' ELSE 'gathered' END, d.id, 0,
        CASE WHEN d.id IS NULL THEN now()
          WHEN d.id = p.id THEN now() +
            CASE WHEN p.gathers THEN :gatheringDigestMs::integer ELSE :digestMs::integer END * interval '1 millisecond' END,
        now()
      FROM placed p LEFT JOIN digests d ON p.is_over AND d.form_id = p.form_id AND d.recipient = p.recipient
    )
    SELECT form_id AS "formId" FROM opened`,
);

const TABLE = { table: 'mails', key: 'submission_id' } as const;

/** `settle` records that an email was sent even if another worker has claimed it in the meantime, so that it is not sent again. */
export const WORK = workStatements<'sent'>('mails', TABLE);

/** A claimed email with everything that it is composed of, except for a digest's submissions. */
export interface ClaimRow {
  /** The submission that the email is about; for a digest, the first one. */
  id: string;
  formId: string;
  recipient: string;
  isDigest: boolean;
  /** The number of attempts before this one. */
  attempts: number;
  claimedUntil: string;
  /** This and the values below are null if the form or the submission was deleted. */
  formName: string | null;
  /** JSON text, like `values`. */
  definitions: string | null;
  values: string | null;
  submittedAt: string | null;
}

/**
 * Claims the emails that have been due longest. A claimed digest accepts no more submissions: the statement waits for transactions that are
 * adding some.
 */
export const CLAIM = statement<{ limit: number; leaseMs: number }, ClaimRow>()(
  'mails.claim',
  `WITH ${claimDue(TABLE)}, closed AS (
      UPDATE mail_hours h SET digest_id = NULL FROM claimed c
      WHERE h.tenant_id = :tenantId AND h.form_id = c.form_id AND h.recipient = c.recipient AND h.digest_id = c.digest_id
    )
    SELECT c.submission_id AS id, c.form_id AS "formId", c.recipient, c.digest_id IS NOT NULL AS "isDigest", c.attempts,
      c.claimed_until AS "claimedUntil", f.name AS "formName", f.fields AS definitions,
      s.fields AS values, s.created_at AS "submittedAt"
    FROM claimed c
    LEFT JOIN forms f ON f.tenant_id = :tenantId AND f.id = c.form_id
    LEFT JOIN submissions s ON s.tenant_id = :tenantId AND s.form_id = c.form_id AND s.id = c.submission_id`,
);

/** A submission that a digest shows. */
export interface GatheredSubmission {
  id: string;
  /** JSON text. */
  values: string;
  submittedAt: string;
  /** The number of all submissions of the digest. */
  total: number;
}

/**
 * Reads the first submissions of a claimed digest: at most `:limit`, and at most `:maxBytes` of values unless the first one alone has more.
 * It is separate from `CLAIM`, because it must see the rows that `CLAIM` waited for.
 */
export const DIGEST = statement<
  { digestId: string; formId: string; limit: number; maxBytes: number },
  GatheredSubmission
>()(
  'mails.digest',
  `WITH first AS (
      SELECT submission_id FROM mails WHERE tenant_id = :tenantId AND digest_id = :digestId
      ORDER BY submission_id LIMIT :limit::integer
    ), weighed AS (
      SELECT s.id, s.fields, s.created_at, row_number() OVER place AS place, sum(octet_length(s.fields::text)) OVER place AS bytes
      FROM first JOIN submissions s ON s.tenant_id = :tenantId AND s.form_id = :formId AND s.id = first.submission_id
      WINDOW place AS (ORDER BY s.id)
    )
    SELECT id, fields AS values, created_at AS "submittedAt",
      (SELECT count(*) FROM mails WHERE tenant_id = :tenantId AND digest_id = :digestId) AS total
    FROM weighed WHERE bytes <= :maxBytes::integer OR place = 1 ORDER BY id`,
);

/**
 * Deletes some of the finished emails about submissions below the ID `:before`, and returns a row for each. Keeps those that are listed in
 * a digest that is not sent yet.
 */
export const PRUNE = statement<{ before: string }, unknown>()(
  'mails.prune',
  `DELETE FROM mails m USING (
      SELECT o.submission_id FROM mails o
      WHERE o.tenant_id = :tenantId AND o.submission_id < :before AND o.status <> 'pending' AND NOT EXISTS (
        SELECT 1 FROM mails d WHERE d.tenant_id = :tenantId AND d.submission_id = o.digest_id AND d.status = 'pending'
      ) LIMIT 1000
    ) old
    WHERE m.tenant_id = :tenantId AND m.submission_id = old.submission_id
    RETURNING 1`,
);
