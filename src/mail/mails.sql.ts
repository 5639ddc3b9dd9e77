import { statement } from '../database/statements/statement.js';
import { insert, part, write } from '../database/statements/write.js';
import { claimDue } from '../work/work.sql.js';
import { MAILS } from './mail-work.sql.js';

/** An event and the IDs in its data: `sub_…` and `frm_…`. */
export interface SubmittedRow {
  id: string;
  submission: string | null;
  form: string | null;
}

/** Reads the submissions that the events are about. An erased event is about none. */
export const SUBMITTED = statement<{ eventIds: readonly string[] }, SubmittedRow>()(
  'mails.submitted',
  `SELECT e.id, e.data ->> 'id' AS submission, e.data ->> 'form_id' AS form
    FROM unnest(:eventIds::uuid[]) WITH ORDINALITY AS n (id, place) CROSS JOIN LATERAL (
      SELECT id, data FROM events WHERE tenant_id = :tenantId AND id = n.id LIMIT 1
    ) AS e WHERE json_typeof(e.data) <> 'null' ORDER BY n.place`,
);

/** Emails, each with its properties at the same position in the lists. */
export interface NewMails {
  /** See `Mail.id`. */
  ids: readonly string[];
  submissionIds: readonly string[];
  formIds: readonly string[];
  recipients: readonly string[];
  subjects: readonly (string | null)[];
}

/** The emails of submissions that have none yet. */
const NEW = `SELECT n.* FROM
      unnest(:ids::uuid[], :submissionIds::uuid[], :formIds::uuid[], :recipients::text[], :subjects::text[])
        AS n (id, submission_id, form_id, recipient, subject)
    WHERE NOT EXISTS (SELECT 1 FROM mails m WHERE m.tenant_id = :tenantId AND m.submission_id = n.submission_id)` as const;

/** Adds the hours that the emails lack, for `COUNT`. They have ended. */
export const ADD_HOURS = statement<NewMails, never>()(
  'mails.add_hours',
  `INSERT INTO mail_hours (tenant_id, form_id, recipient, began_at, submissions, gathers)
    SELECT :tenantId, n.form_id, n.recipient, '-infinity'::timestamptz, 0, false FROM (${NEW}) n
    GROUP BY n.form_id, n.recipient ORDER BY n.form_id, n.recipient
    ON CONFLICT DO NOTHING`,
);

const IS_SAME_HOUR = 'h.began_at > c.hour_ago';

/**
 * Counts the submissions in the current hour of their form and recipient. It locks the rows of these hours, so that other transactions that
 * write emails of the form wait. An hour after one with more than `:hourlyLimit` submissions puts all of its submissions into digests.
 * Returns no row if no submission needs an email. The times are columns of `counted` because Citus refuses to compute them in an update.
 */
export const COUNT = statement<NewMails & { hourlyLimit: number }, unknown>()(
  'mails.count',
  `WITH counted AS MATERIALIZED (
      SELECT n.form_id, n.recipient, count(*) AS submissions, now() AS now, now() - interval '1 hour' AS hour_ago,
        now() - interval '2 hours' AS two_hours_ago
      FROM (${NEW}) n GROUP BY n.form_id, n.recipient ORDER BY n.form_id, n.recipient
    )
    UPDATE mail_hours h SET began_at = CASE WHEN ${IS_SAME_HOUR} THEN h.began_at ELSE c.now END,
      submissions = c.submissions + CASE WHEN ${IS_SAME_HOUR} THEN h.submissions ELSE 0 END,
      gathers = CASE WHEN ${IS_SAME_HOUR} THEN h.gathers
        ELSE h.submissions > :hourlyLimit::integer AND h.began_at > c.two_hours_ago END
    FROM counted c WHERE h.tenant_id = :tenantId AND h.form_id = c.form_id AND h.recipient = c.recipient
    RETURNING 1`,
);

interface Write extends NewMails {
  hourlyLimit: number;
  /** The time from a digest's first submission until it is due. The second value is for an hour that puts all submissions into digests. */
  digestMs: number;
  gatheringDigestMs: number;
}

/**
 * Writes an email for each submission, after `COUNT` in the same transaction. The first `:hourlyLimit` of an hour are due at once. The
 * others are added to the open digest. If no digest is open, the first of them opens one. Returns the forms that opened one.
 */
export const WRITE = write<Write, { formId: string }>()(
  'mails.write',
  [
    part(
      'placed',
      `SELECT n.id, n.submission_id, n.form_id, n.recipient, n.subject, h.digest_id AS open, h.gathers,
        h.gathers OR h.submissions - n.from_end >= :hourlyLimit::integer AS is_over
      FROM (
        SELECT n.*, row_number() OVER (PARTITION BY n.form_id, n.recipient ORDER BY n.id DESC) AS from_end FROM (${NEW}) n
      ) n JOIN mail_hours h ON h.tenant_id = :tenantId AND h.form_id = n.form_id AND h.recipient = n.recipient`,
      {
        returns: {
          id: 'uuid',
          submission_id: 'uuid',
          form_id: 'uuid',
          recipient: 'text',
          subject: 'text',
          open: 'uuid',
          gathers: 'boolean',
          is_over: 'boolean',
        },
        isMany: true,
      },
    ),
    part(
      'digests',
      `SELECT form_id, recipient, coalesce(open, (array_agg(id ORDER BY id))[1]) AS id FROM placed
      WHERE is_over GROUP BY form_id, recipient, open`,
      { of: 'placed', returns: { form_id: 'uuid', recipient: 'text', id: 'uuid' }, isMany: true },
    ),
    part(
      'opened',
      `UPDATE mail_hours h SET digest_id = d.id FROM digests d
      WHERE h.tenant_id = :tenantId AND h.form_id = d.form_id AND h.recipient = d.recipient AND h.digest_id IS NULL
      RETURNING h.form_id AS "formId"`,
      { of: 'digests' },
    ),
    part(
      'new',
      'SELECT p.*, d.id AS digest_id FROM placed p LEFT JOIN digests d ON p.is_over AND d.form_id = p.form_id AND d.recipient = p.recipient',
      {
        of: 'placed',
        reads: ['digests'],
        returns: {
          id: 'uuid',
          submission_id: 'uuid',
          form_id: 'uuid',
          recipient: 'text',
          subject: 'text',
          gathers: 'boolean',
          digest_id: 'uuid',
        },
        isMany: true,
      },
    ),
    insert(
      'written',
      `INSERT INTO mails (tenant_id, submission_id, about_id, form_id, recipient, subject, status, digest_id, attempts, next_attempt_at, created_at)
      SELECT :tenantId, new.id, nullif(new.submission_id, new.id), new.form_id, new.recipient, new.subject,
        CASE WHEN new.digest_id IS NULL OR new.digest_id = new.id THEN 'pending' ELSE 'gathered' END, new.digest_id, 0,
        CASE WHEN new.digest_id IS NULL THEN now()
          WHEN new.digest_id = new.id THEN now() +
            CASE WHEN new.gathers THEN :gatheringDigestMs::integer ELSE :digestMs::integer END * interval '1 millisecond' END,
        now()
      FROM new`,
      { computes: true },
    ),
  ],
  { columns: '"formId"', of: 'opened' },
);

/** What a digest is about whose first submission was deleted. It still lists the others. */
export const NOTHING = '00000000-0000-0000-0000-000000000000';

/** A claimed email with everything that it is composed of, except for a digest's submissions. */
export interface ClaimedMailRow {
  /** The email. */
  id: string;
  /** The submission that the email is about; for a digest, the first one. */
  submissionId: string;
  formId: string;
  recipient: string;
  /** The subject of a rule, with its placeholders. */
  subject: string | null;
  isDigest: boolean;
  /** The number of attempts before this one. */
  attempts: number;
  claimedUntil: string;
  /** This and the values below are null if the form or the submission was deleted, or if the submission is spam by now. */
  formName: string | null;
  /** JSON text, like `values`. */
  definitions: string | null;
  /** The setting of the form. */
  timeZone: string | null;
  values: string | null;
  submittedAt: string | null;
  isSpam: boolean;
  /** The field with the address of the visitor, for an email of the autoresponder. */
  field: string | null;
  /** The next three are only read for it: the setting and the rules as JSON text. */
  autoresponder: string | null;
  rules: string | null;
  notifyEmail: string | null;
  /** Whether the guards of the autoresponder were passed, or somebody released the submission. */
  isGuarded: boolean;
  /** See `Submission.untimed`. */
  isUntimed: boolean;
}

/**
 * Claims the emails that have been due longest. A claimed digest accepts no more submissions: the statement waits for transactions that are
 * adding some.
 */
export const CLAIM_MAILS = statement<{ limit: number; leaseMs: number }, ClaimedMailRow>()(
  'mails.claim',
  `WITH ${claimDue(MAILS)}, closed AS (
      UPDATE mail_hours h SET digest_id = NULL FROM claimed c
      WHERE h.tenant_id = :tenantId AND h.form_id = c.form_id AND h.recipient = c.recipient AND h.digest_id = c.digest_id
    )
    SELECT c.submission_id AS id, coalesce(c.about_id, c.submission_id) AS "submissionId", c.form_id AS "formId", c.recipient,
      c.subject, c.digest_id IS NOT NULL AS "isDigest", c.attempts,
      c.claimed_until AS "claimedUntil", f.name AS "formName", f.fields AS definitions, f.settings ->> 'time_zone' AS "timeZone",
      s.fields AS values, s.created_at AS "submittedAt", s.verdict IS NOT NULL AS "isSpam",
      c.field, CASE WHEN c.field IS NOT NULL THEN f.settings -> 'autoresponder' END AS autoresponder,
      CASE WHEN c.field IS NOT NULL THEN f.settings -> 'notify' END AS rules,
      CASE WHEN c.field IS NOT NULL THEN f.notify_email END AS "notifyEmail",
      s.guarded IS TRUE OR s.reasons IS NOT NULL AS "isGuarded", s.untimed IS TRUE AS "isUntimed"
    FROM claimed c
    LEFT JOIN forms f ON f.tenant_id = :tenantId AND f.id = c.form_id
    LEFT JOIN submissions s ON s.tenant_id = :tenantId AND s.form_id = c.form_id
      AND s.id = coalesce(c.about_id, c.submission_id)`,
);

/** A submission that a digest shows. */
export interface GatheredSubmission {
  id: string;
  /** JSON text. */
  values: string;
  submittedAt: string;
  /** See `Submission.untimed`. */
  isUntimed: boolean;
  /** The number of all submissions of the digest. */
  total: number;
}

/**
 * Reads the first submissions of a claimed digest: at most `:limit`, and at most `:maxBytes` of values unless the first one alone has more.
 * It is separate from `CLAIM`, because it must see the rows that `CLAIM` waited for.
 */
export const DIGEST = statement<
  { digestId: string; formId: string; limit: number; maxBytes: number; nothing: string },
  GatheredSubmission
>()(
  'mails.digest',
  `WITH first AS (
      SELECT coalesce(about_id, submission_id) AS id FROM mails
      WHERE tenant_id = :tenantId AND digest_id = :digestId AND status <> 'canceled' ORDER BY submission_id LIMIT :limit::integer
    ), weighed AS (
      SELECT s.id, s.fields, s.created_at, s.untimed, row_number() OVER place AS place, sum(octet_length(s.fields::text)) OVER place AS bytes
      FROM first JOIN submissions s ON s.tenant_id = :tenantId AND s.form_id = :formId AND s.id = first.id
      WHERE s.verdict IS NULL WINDOW place AS (ORDER BY s.id)
    )
    SELECT id, fields AS values, created_at AS "submittedAt", untimed IS TRUE AS "isUntimed",
      (SELECT count(*) FROM mails
        WHERE tenant_id = :tenantId AND digest_id = :digestId AND status <> 'canceled' AND about_id IS DISTINCT FROM :nothing::uuid) AS total
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

/** The keys of the emails about `:submissionIds`. */
export const ABOUT = `ARRAY(
      SELECT submission_id FROM mails WHERE tenant_id = :tenantId AND submission_id = ANY (:submissionIds::uuid[]) AND about_id IS NULL
      UNION ALL SELECT submission_id FROM mails WHERE tenant_id = :tenantId AND about_id = ANY (:submissionIds::uuid[])
    )` as const;

/** What the names of messages consist of. */
export interface MailName {
  id: string;
  submissionId: string;
  digestId: string | null;
}

/** Deletes the emails about deleted submissions, except digests that wait: these still list other submissions. */
export const ERASE = statement<{ submissionIds: readonly string[] }, MailName>()(
  'mails.erase',
  `DELETE FROM mails m WHERE m.tenant_id = :tenantId AND m.submission_id = ANY (${ABOUT})
      AND (m.status <> 'pending' OR m.digest_id IS DISTINCT FROM m.submission_id)
    RETURNING m.submission_id AS id, coalesce(m.about_id, m.submission_id) AS "submissionId", m.digest_id AS "digestId"`,
);

/** Lets the digests that wait be about their other submissions. `:nothing` is `NOTHING`. */
export const ERASE_FROM_DIGESTS = statement<{ submissionIds: readonly string[]; nothing: string }, MailName>()(
  'mails.erase_from_digests',
  `UPDATE mails m SET about_id = :nothing::uuid, last_error = NULL
    WHERE m.tenant_id = :tenantId AND m.submission_id = ANY (${ABOUT}) AND m.status = 'pending' AND m.digest_id = m.submission_id
    RETURNING m.submission_id AS id, :nothing::uuid AS "submissionId", m.digest_id AS "digestId"`,
);

export const EXISTING = statement<{ formId: string; ids: readonly string[] }, object>()(
  'mails.existing',
  'SELECT 1 FROM submissions WHERE tenant_id = :tenantId AND form_id = :formId AND id = ANY (:ids::uuid[])',
);
