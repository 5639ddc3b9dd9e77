import { statement } from '../../database/statement.js';
import { putDue, removeDue } from '../../due/due-work.sql.js';
import { ARRIVED_FILES, countFiles, removeFiles } from '../../media/private-files.js';

export const SPAM_FILES_KIND = 'spam_files';
/** How long the files of spam are kept, so that it can be released. */
const KEPT = "now() + interval '7 days'";

function putRemoval<const Source extends string>(source: Source) {
  return putDue(source, { kind: SPAM_FILES_KIND, key: `${source}.id`, at: KEPT } as const);
}

/**
 * The common table expressions that delete the files `f` for which `condition` holds: `file` has their IDs. Their bytes are removed after the
 * commit.
 */
export function deleteFiles<const Condition extends string>(condition: Condition) {
  return `file AS (
    DELETE FROM submission_files f WHERE f.tenant_id = :tenantId AND ${condition} RETURNING f.id, f.size
  ), ${countFiles('file', -1)}, ${removeFiles('file')}` as const;
}

/** The files of a submission. The arrays have an element for each file. */
export interface NewFiles {
  formId: string;
  submissionId: string;
  fileIds: readonly string[];
  fields: readonly string[];
  names: readonly string[];
  mimeTypes: readonly string[];
  sizes: readonly number[];
}

/** Adds stored files to a submission. Returns the number of those whose bytes were not claimed for removal meanwhile. */
export const ADD_FILES = statement<NewFiles, { files: number }>()(
  'submission_files.add',
  `WITH ${ARRIVED_FILES}, file AS (
      INSERT INTO submission_files (tenant_id, id, form_id, submission_id, field, name, mime_type, size)
      SELECT :tenantId, n.id, :formId::uuid, :submissionId::uuid, n.field, n.name, n.mime_type, n.size
      FROM unnest(:fileIds::uuid[], :fields::text[], :names::text[], :mimeTypes::text[], :sizes::bigint[])
        AS n (id, field, name, mime_type, size) JOIN arrived ON arrived.id = n.id
      RETURNING id, size
    ), ${countFiles('file', 1)}, spam AS (
      SELECT id FROM submissions
      WHERE tenant_id = :tenantId AND form_id = :formId::uuid AND id = :submissionId::uuid AND verdict IS NOT NULL
    ), ${putRemoval('spam')}
    SELECT count(*)::int AS files FROM file`,
);

/** The file of a submission, as it is downloaded. */
export interface FileRow {
  name: string;
  mimeType: string;
  size: number;
}

/** A deleted form has no files, although they may still be stored. */
export const GET_FILE = statement<{ formId: string; submissionId: string; id: string }, FileRow>()(
  'submission_files.get',
  `SELECT f.name, f.mime_type AS "mimeType", f.size FROM submission_files f
    WHERE f.tenant_id = :tenantId AND f.id = :id AND f.form_id = :formId AND f.submission_id = :submissionId
      AND EXISTS (SELECT 1 FROM forms WHERE tenant_id = :tenantId AND id = :formId)`,
);

/** Has the files of a submission deleted after some days, because it was marked as spam. */
export const PUT_SPAM_FILES = statement<{ submissionId: string }, never>()(
  'submission_files.put_removal',
  `WITH spam AS (SELECT :submissionId::uuid AS id), ${putRemoval('spam')} SELECT 1`,
);

/** Keeps the files of a submission that was released. */
export const KEEP_FILES = statement<{ submissionId: string }, never>()(
  'submission_files.keep',
  `WITH released AS (SELECT :submissionId::uuid AS id),
    ${removeDue('released', { kind: SPAM_FILES_KIND, key: 'released.id' })} SELECT 1`,
);

/** Deletes the files of a submission, if it is spam. */
export const DELETE_SPAM_FILES = statement<{ submissionId: string }, unknown>()(
  'submission_files.delete_of_spam',
  `WITH spam AS MATERIALIZED (
      SELECT s.id FROM submissions s
      WHERE s.tenant_id = :tenantId AND s.id = :submissionId AND s.verdict IS NOT NULL AND s.form_id = (
        SELECT o.form_id FROM submission_files o WHERE o.tenant_id = :tenantId AND o.submission_id = :submissionId LIMIT 1
      ) FOR UPDATE
    ), ${deleteFiles('f.submission_id = ANY (ARRAY(SELECT spam.id FROM spam))')}
    SELECT count(*)::int AS files FROM file`,
);
