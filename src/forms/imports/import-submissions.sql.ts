import { statement } from '../../database/statements/statement.js';
import { insert, write } from '../../database/statements/write.js';
import { COUNT_SHARD, RANDOM_STATE } from '../../database/statements/count-shard.js';
import { ADD_TO_COUNTS, COUNTS } from '../submissions/submission-counts.sql.js';

/** Locks a form, so that its fields do not change before the commit. */
export const LOCK_FORM = statement<{ formId: string }, { version: number; former: string | null }>()(
  'submission_imports.lock_form',
  'SELECT version, former FROM forms WHERE tenant_id = :tenantId AND id = :formId FOR NO KEY UPDATE',
);

/** Forms that have a submission with one of these IDs. */
export const HOLDERS = statement<{ ids: readonly string[] }, { id: string; formId: string }>()(
  'submission_imports.holders',
  `SELECT w.id, h.form_id AS "formId" FROM unnest(:ids::uuid[]) AS w (id)
    JOIN LATERAL (
      SELECT s.form_id FROM forms f JOIN submissions s ON s.tenant_id = :tenantId AND s.form_id = f.id AND s.id = w.id
      WHERE f.tenant_id = :tenantId LIMIT 1
    ) AS h ON true`,
);

export interface ImportedGroup {
  formId: string;
  ids: readonly string[];
  fields: readonly string[];
  /** Arrays in PostgreSQL's notation; null if there are none. */
  addresses: readonly (string | null)[];
  digests: readonly string[];
  verdicts: readonly ('spam' | null)[];
  reasons: readonly (string | null)[];
  states: readonly (string | null)[];
  notes: readonly (string | null)[];
  origins: readonly (string | null)[];
  locales: readonly (string | null)[];
  times: readonly string[];
  /** How many are not spam, and how many are. */
  ok: number;
  spam: number;
  /** The rows of the index. */
  valueIds: readonly string[];
  valueFields: readonly string[];
  valueKeys: readonly string[];
  valueDiscriminators: readonly string[];
}

/** Writes submissions without events. The form must be locked, and no submission may have one of the IDs. */
export const IMPORT_SUBMISSIONS = write<ImportedGroup, never>()('submission_imports.insert', [
  insert(
    'imported',
    `INSERT INTO submissions (tenant_id, form_id, id, fields, size, addresses, digest, verdict, reasons, state, note, origin, locale, created_at)
      SELECT :tenantId, :formId, n.id, n.fields::json, octet_length(n.fields), n.addresses::uuid[], n.digest, n.verdict, n.reasons::text[],
        n.state, n.note, n.origin, n.locale, n.at
      FROM unnest(:ids::uuid[], :fields::text[], :addresses::text[], :digests::uuid[], :verdicts::text[], :reasons::text[], :states::text[],
        :notes::text[], :origins::text[], :locales::text[], :times::timestamptz[]) AS n (id, fields, addresses, digest, verdict, reasons, state, note, origin, locale, at)`,
    { computes: true },
  ),
  insert(
    'added_values',
    `INSERT INTO submission_values (tenant_id, form_id, field, sort_key, submission_id, discriminator)
      SELECT :tenantId, :formId, v.field, v.key, v.id, v.discriminator
      FROM unnest(:valueIds::uuid[], :valueFields::text[], :valueKeys::text[], :valueDiscriminators::text[]) AS v (id, field, key, discriminator)`,
  ),
  insert(
    'counted',
    `INSERT INTO ${COUNTS} VALUES (:tenantId, :formId, ${COUNT_SHARD}, :ok::bigint, :spam::bigint, ${RANDOM_STATE}) ${ADD_TO_COUNTS}`,
  ),
]);

/** Remembers the names of fields that the form does not have. The form must be locked. `former` is JSON. */
export const KEEP_FORMER = statement<{ formId: string; former: string }, never>()(
  'submission_imports.keep_former',
  'UPDATE forms SET former = :former::text::json WHERE tenant_id = :tenantId AND id = :formId',
);
