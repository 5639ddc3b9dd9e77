import { statement } from '../../database/statements/statement.js';
import { insert, part, write } from '../../database/statements/write.js';

export interface DayRow {
  /** `YYYY-MM-DD`. */
  date: string;
  ok: number;
  spam: number;
}

/**
 * Counts the submissions of each day by verdict: those that are stored, which two indexes have by time, and those that were deleted. `ids` has
 * the first UUID of each day, and of the day after the last one.
 */
export const COUNT_DAYS = statement<{ formId: string; dates: readonly string[]; ids: readonly string[] }, DayRow>()(
  'submissions.count_days',
  `SELECT n.date, o.count + coalesce(d.ok, 0) AS ok, s.count + coalesce(d.spam, 0) AS spam
    FROM unnest(:dates::text[]) WITH ORDINALITY AS n (date, place)
    CROSS JOIN LATERAL (
      SELECT count(*) AS count FROM submissions WHERE tenant_id = :tenantId AND form_id = :formId AND verdict IS NULL
        AND id >= (:ids::uuid[])[n.place] AND id < (:ids::uuid[])[n.place + 1]
    ) o CROSS JOIN LATERAL (
      SELECT count(*) AS count FROM submissions WHERE tenant_id = :tenantId AND form_id = :formId AND verdict IS NOT NULL
        AND id >= (:ids::uuid[])[n.place] AND id < (:ids::uuid[])[n.place + 1]
    ) s LEFT JOIN deleted_submissions d ON d.tenant_id = :tenantId AND d.form_id = :formId AND d.day = n.date::date
    ORDER BY n.place`,
);

/**
 * Counts the spam of all forms by the day on which it arrived, as `COUNT_DAYS` does for one form: nothing is kept for it while spam arrives. `ids`
 * has the first UUID of each day. Days without spam are missing.
 */
export const SPAM_BY_DAY = statement<
  { dates: readonly string[]; ids: readonly string[] },
  { date: string; spam: number }
>()(
  'submissions.spam_by_day',
  `SELECT n.date, sum(n.spam)::bigint AS spam FROM forms f CROSS JOIN LATERAL (
      SELECT (:dates::text[])[width_bucket(s.id, :ids::uuid[])] AS date, count(*) AS spam FROM submissions s
      WHERE s.tenant_id = :tenantId AND s.form_id = f.id AND s.verdict IS NOT NULL AND s.id >= (:ids::uuid[])[1] GROUP BY date
      UNION ALL
      SELECT d.day::text, d.spam FROM deleted_submissions d
      WHERE d.tenant_id = :tenantId AND d.form_id = f.id AND d.day >= (:dates::text[])[1]::date AND d.spam > 0
    ) n WHERE f.tenant_id = :tenantId GROUP BY n.date`,
);

/** Adds deleted submissions to the statistics of the days on which they arrived. Each day occurs once. */
export const ADD_DELETED = write<
  { formId: string; days: readonly string[]; ok: readonly number[]; spam: readonly number[] },
  never
>()('deleted_submissions.add', [
  part(
    'days',
    'SELECT n.day::date AS day, n.ok, n.spam FROM unnest(:days::text[], :ok::bigint[], :spam::bigint[]) AS n (day, ok, spam) ORDER BY n.day',
    { returns: { day: 'date', ok: 'bigint', spam: 'bigint' }, isMany: true },
  ),
  insert(
    'added',
    `INSERT INTO deleted_submissions AS d (tenant_id, form_id, day, ok, spam)
      SELECT :tenantId, :formId, days.day, days.ok, days.spam
      FROM days
      ON CONFLICT (tenant_id, form_id, day) DO UPDATE SET ok = d.ok + excluded.ok, spam = d.spam + excluded.spam`,
  ),
]);

export const DELETE_STATISTICS = statement<{ formId: string }, never>()(
  'deleted_submissions.delete_of_form',
  'DELETE FROM deleted_submissions WHERE tenant_id = :tenantId AND form_id = :formId',
);
