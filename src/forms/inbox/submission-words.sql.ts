import { statement } from '../../database/statements/statement.js';
import { insert, write } from '../../database/statements/write.js';
import { putJob } from '../../scheduled-jobs/scheduled-jobs.sql.js';
import { count } from '../submissions/submission-counts.sql.js';

export const WORDS_KIND = 'submission_words';

/** Submissions that are indexed at once, and their bytes unless the first one alone has more. */
const BATCH = 250;
const BATCH_BYTES = 1024 * 1024;

/** The submissions up to this ID have words. */
export const MARK = statement<{ formId: string }, { after: string }>()(
  'submission_words.mark',
  'SELECT m.after FROM submission_word_marks m WHERE m.tenant_id = :tenantId AND m.form_id = :formId',
);

export const KEEP_MARK = statement<{ formId: string; after: string }, never>()(
  'submission_words.keep_mark',
  `INSERT INTO submission_word_marks AS m (tenant_id, form_id, after) VALUES (:tenantId, :formId, :after::uuid)
    ON CONFLICT (tenant_id, form_id) DO UPDATE SET after = greatest(m.after, excluded.after)`,
);

/** Locks the submissions, so that none of them is deleted before its words are committed. */
export const NEXT_WITHOUT_WORDS = statement<{ formId: string; after: string }, { id: string; fields: string }>()(
  'submission_words.next',
  `WITH next AS MATERIALIZED (
      SELECT s.id, s.fields, coalesce(s.size, octet_length(s.fields::text)) AS bytes FROM submissions s
      WHERE s.tenant_id = :tenantId AND s.form_id = :formId AND s.id > :after
        AND (SELECT true FROM submission_words w WHERE w.tenant_id = :tenantId AND w.form_id = :formId AND w.submission_id = s.id) IS NULL
      ORDER BY s.id LIMIT ${BATCH} FOR KEY SHARE
    )
    SELECT id, fields FROM (SELECT id, fields, sum(bytes) OVER w AS bytes, row_number() OVER w AS place FROM next WINDOW w AS (ORDER BY id)) n
    WHERE bytes <= ${BATCH_BYTES} OR place = 1 ORDER BY id`,
);

/** Another process may have added the same words. */
export const ADD_WORDS = write<
  {
    formId: string;
    ids: readonly string[];
    words: Buffer;
    gaps: readonly number[];
    sequences: readonly (string | null)[];
  },
  never
>()('submission_words.add', [
  insert(
    'added',
    `INSERT INTO submission_words (tenant_id, form_id, submission_id, words, gaps, sequence)
      SELECT :tenantId, :formId, n.id, n.words, n.gaps, n.sequence
      FROM unnest(:ids::uuid[], :words::tsvector[], :gaps::smallint[], :sequences::text[]) AS n (id, words, gaps, sequence)
      ON CONFLICT DO NOTHING`,
  ),
  count('0', '0'),
]);

export const PUT_INDEXING = write<{ formId: string; pauseMs: number }, never>()('submission_words.put', [
  putJob(undefined, {
    kind: WORDS_KIND,
    key: ':formId::uuid',
    at: "now() + :pauseMs::integer * interval '1 millisecond'",
  }),
]);

export const DELETE_MARK = statement<{ formId: string }, never>()(
  'submission_words.delete_mark',
  'DELETE FROM submission_word_marks WHERE tenant_id = :tenantId AND form_id = :formId',
);
