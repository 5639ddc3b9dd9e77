import { statement } from '../../database/statement.js';
import { putDue } from '../../due/due-work.sql.js';

export const RETENTION_KIND = 'submission_retention';

/** One row for a form, whatever the number of its submissions. */
export const PUT_RETENTION = statement<{ formId: string }, never>()(
  'forms.put_retention',
  `WITH form AS (SELECT :formId::uuid AS id), ${putDue('form', { kind: RETENTION_KIND, key: 'form.id', at: 'now()' })} SELECT 1`,
);
