import { type AuditParameter, recordChange } from '../../audit/record-changes.js';
import { statement } from '../../database/statements/statement.js';
import { insert, write } from '../../database/statements/write.js';
import { putJob } from '../../scheduled-jobs/scheduled-jobs.sql.js';

export const ERASURE_KIND = 'erasure';
/** Submissions that are looked at together. */
const PART = 1_000;
/** No address is longer. */
const MAX_VALUE = 300;

export interface ErasureRow {
  id: string;
  submissions: number;
  files: number;
  mails: number;
  deliveries: number;
  /** ISO 8601. */
  requestedAt: string;
  doneAt: string | null;
}

const COLUMNS =
  `id, submissions, files, mails, deliveries, requested_at AS "requestedAt", done_at AS "doneAt"` as const;
export const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Stores the erasure, and puts its work. */
export const REQUEST_ERASURE = write<
  AuditParameter & { id: string; address: string; first: string; at: string },
  ErasureRow
>()(
  'erasures.request',
  [
    insert(
      'erasure',
      `INSERT INTO erasures (tenant_id, id, address, form_id, after, late, submissions, files, mails, deliveries, requested_at)
      VALUES (:tenantId, :id::uuid, :address::uuid, :first::uuid, :first::uuid, false, 0, 0, 0, 0, :at::timestamptz)
      RETURNING ${COLUMNS}`,
      { returns: { id: 'uuid' } },
    ),
    putJob('erasure', { kind: ERASURE_KIND, key: 'erasure.id', at: 'now()' }),
    recordChange('erasure'),
  ],
  { columns: '*', of: 'erasure' },
);

export const FIND_ERASURE = statement<{ id: string }, ErasureRow>()(
  'erasures.find',
  `SELECT ${COLUMNS} FROM erasures WHERE tenant_id = :tenantId AND id = :id`,
);

/** An erasure in progress: see `Erasure`. */
export interface ErasureState {
  address: string | null;
  formId: string;
  after: string;
  late: boolean;
  requestedAt: string;
}

export const LOCK_ERASURE = statement<{ id: string }, ErasureState>()(
  'erasures.lock',
  `SELECT address, form_id AS "formId", after, late, requested_at AS "requestedAt" FROM erasures
    WHERE tenant_id = :tenantId AND id = :id FOR UPDATE`,
);

/** Stores how far the erasure is, and adds to its numbers. */
export const ADVANCE_ERASURE = statement<
  {
    id: string;
    formId: string;
    after: string;
    late: boolean;
    submissions: number;
    files: number;
    mails: number;
    deliveries: number;
  },
  never
>()(
  'erasures.advance',
  `UPDATE erasures SET form_id = :formId, after = :after, late = :late, submissions = submissions + :submissions, files = files + :files,
      mails = mails + :mails, deliveries = deliveries + :deliveries
    WHERE tenant_id = :tenantId AND id = :id`,
);

export const FINISH_ERASURE = statement<{ id: string }, never>()(
  'erasures.finish',
  'UPDATE erasures SET address = NULL, done_at = now() WHERE tenant_id = :tenantId AND id = :id',
);

export const DELETE_ERASURE = statement<{ id: string }, never>()(
  'erasures.delete',
  'DELETE FROM erasures WHERE tenant_id = :tenantId AND id = :id',
);

/** Finds the first form from an ID on. The last two are JSON text. */
export const FORM_FROM = statement<{ formId: string }, { id: string; fields: string; former: string | null }>()(
  'erasures.form',
  'SELECT id, fields, former FROM forms WHERE tenant_id = :tenantId AND id >= :formId ORDER BY id LIMIT 1',
);

/** A submission that may have the address, or the last one of the part. */
export interface Candidate {
  id: string;
  isFound: boolean;
  /** The values of a submission without hashes that may be addresses. Null if it has hashes. */
  values: string[] | null;
}

/** Looks at the next submissions of a form. Rows that were written before there were hashes have no digest either. */
export const NEXT_PART = statement<
  { formId: string; after: string; address: string; names: readonly string[] },
  Candidate
>()(
  'erasures.next_part',
  `WITH part AS MATERIALIZED (
      SELECT id, coalesce(addresses @> ARRAY[:address::uuid], false) AS is_found, CASE WHEN digest IS NULL THEN fields END AS fields
      FROM submissions WHERE tenant_id = :tenantId AND form_id = :formId AND id > :after ORDER BY id LIMIT ${PART}
    )
    SELECT p.id, p.is_found AS "isFound", CASE WHEN p.fields IS NOT NULL THEN ARRAY(
        SELECT left(p.fields ->> n.name, ${MAX_VALUE}) FROM unnest(:names::text[]) AS n (name) WHERE p.fields ->> n.name LIKE '%@%'
      ) END AS values
    FROM part p WHERE p.is_found OR p.fields IS NOT NULL OR p.id = (SELECT l.id FROM part l ORDER BY l.id DESC LIMIT 1)
    ORDER BY p.id`,
);
