import { write } from '../../database/write.js';
import { putDue } from '../../due/due-work.sql.js';

export const RETENTION_KIND = 'submission_retention';

/** One row for a form, whatever the number of its submissions. */
export const PUT_RETENTION = write<{ formId: string }, never>()('forms.put_retention', [
  putDue(undefined, { kind: RETENTION_KIND, key: ':formId::uuid', at: 'now()' }),
]);
