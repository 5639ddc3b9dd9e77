import { statement } from '../../database/statements/statement.js';
import { insert, part, write } from '../../database/statements/write.js';
import { putJob, removeJob } from '../../scheduled-jobs/scheduled-jobs.sql.js';
import { ARRIVED_FILES, countFiles, removeFiles } from '../../media/files/private-files.js';

export const SPAM_FILES_KIND = 'spam_files';
/** How long the files of spam are kept, so that it can be released. */
const KEPT = "now() + interval '7 days'";

const FILE = { returns: { id: 'uuid', size: 'bigint' }, isMany: true } as const;

/**
 * The parts of a write that delete the files `f` for which `condition` holds: `file` has their IDs. Their bytes are removed after the commit.
 */
export function deleteFiles<const Condition extends string>(condition: Condition, reads: readonly string[] = []) {
  return [
    part(
      'file',
      `DELETE FROM submission_files f WHERE f.tenant_id = :tenantId AND ${condition} RETURNING f.id, f.size`,
      { ...FILE, reads },
    ),
    ...countFiles('file', -1),
    removeFiles('file'),
  ] as const;
}

/** The files of a submission. The arrays have an element for each file. */
interface NewFiles {
  formId: string;
  submissionId: string;
  fileIds: readonly string[];
  fields: readonly string[];
  names: readonly string[];
  mimeTypes: readonly string[];
  sizes: readonly number[];
}

/** The number of the files. */
const COUNT_FILES = part('result', 'SELECT count(*)::int AS files FROM file', { reads: ['file'] });

/** Adds stored files to a submission. Returns the number of those whose bytes were not claimed for removal meanwhile. */
export const ADD_FILES = write<NewFiles, { files: number }>()('submission_files.add', [
  ARRIVED_FILES,
  part(
    'new',
    `SELECT n.* FROM unnest(:fileIds::uuid[], :fields::text[], :names::text[], :mimeTypes::text[], :sizes::bigint[])
        AS n (id, field, name, mime_type, size) JOIN arrived ON arrived.id = n.id`,
    {
      of: 'arrived',
      returns: { id: 'uuid', field: 'text', name: 'text', mime_type: 'text', size: 'bigint' },
      isMany: true,
    },
  ),
  insert(
    'file',
    `INSERT INTO submission_files (tenant_id, id, form_id, submission_id, field, name, mime_type, size)
      SELECT :tenantId, new.id, :formId::uuid, :submissionId::uuid, new.field, new.name, new.mime_type, new.size
      FROM new
      RETURNING id, size`,
    FILE,
  ),
  ...countFiles('file', 1),
  part(
    'spam',
    `SELECT id FROM submissions
      WHERE tenant_id = :tenantId AND form_id = :formId::uuid AND id = :submissionId::uuid AND verdict IS NOT NULL`,
    { returns: { id: 'uuid' } },
  ),
  putJob('spam', { kind: SPAM_FILES_KIND, key: 'spam.id', at: KEPT }),
  COUNT_FILES,
]);

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
export const PUT_SPAM_FILES = write<{ submissionId: string }, never>()('submission_files.put_removal', [
  putJob(undefined, { kind: SPAM_FILES_KIND, key: ':submissionId::uuid', at: KEPT }),
]);

/** Keeps the files of a submission that was released. */
export const KEEP_FILES = write<{ submissionId: string }, never>()('submission_files.keep', [
  part('released', 'SELECT :submissionId::uuid AS id', { returns: { id: 'uuid' } }),
  removeJob('released', { kind: SPAM_FILES_KIND, key: 'released.id' }),
]);

/** Deletes the files of a submission, if it is spam. */
export const DELETE_SPAM_FILES = write<{ submissionId: string }, unknown>()('submission_files.delete_of_spam', [
  part(
    'spam',
    `SELECT s.id FROM submissions s
      WHERE s.tenant_id = :tenantId AND s.id = :submissionId AND s.verdict IS NOT NULL AND s.form_id = (
        SELECT o.form_id FROM submission_files o WHERE o.tenant_id = :tenantId AND o.submission_id = :submissionId LIMIT 1
      ) FOR UPDATE`,
    { returns: { id: 'uuid' }, isMany: true },
  ),
  ...deleteFiles('f.submission_id = ANY (ARRAY(SELECT spam.id FROM spam))', ['spam']),
  COUNT_FILES,
]);
