import { COUNT_SHARD, RANDOM_STATE } from '../../database/statements/count-shard.js';
import { insert, rowOf } from '../../database/statements/write.js';

/** Where `ADD_TO_COUNTS` adds: the tenant, the form, `COUNT_SHARD`, the numbers of submissions and of spam, and `RANDOM_STATE`. */
export const COUNTS = 'submission_counts AS c (tenant_id, form_id, shard, submissions, spam, state)';

/** Every change of what a list may match changes the state, also if it changes neither number (see `TotalCache`). */
export const ADD_TO_COUNTS = `ON CONFLICT (tenant_id, form_id, shard) DO UPDATE SET
      submissions = c.submissions + excluded.submissions, spam = c.spam + excluded.spam, state = excluded.state`;

/** Adds to the numbers of submissions and of spam, which are SQL expressions. Without `source`, in any case. */
export const count = <const Ok extends string, const Spam extends string, const Source extends string = never>(
  ok: Ok,
  spam: Spam,
  source?: Source,
) =>
  insert(
    'counted',
    `INSERT INTO ${COUNTS}
    ${rowOf(`:tenantId, :formId, ${COUNT_SHARD}, ${ok}, ${spam}, ${RANDOM_STATE}`, source)}
    ${ADD_TO_COUNTS}`,
  );

/** SQL for the state of a form's submissions. `$1` is the tenant and `$2` the form. */
export const STATE =
  '(SELECT coalesce(bit_xor(state), 0) FROM submission_counts WHERE tenant_id = $1 AND form_id = $2)';
