import { formatId } from '../ids/type-id.js';

/** What a submission's row holds: `fields` is JSON text, `created_at` is ISO 8601. */
export interface SubmissionRow {
  id: string;
  fields: string;
  created_at: string;
}

/** As submit, list and events show it. The row's JSON is passed through as it is. */
export function presentSubmission(formId: string, { id, fields, created_at }: SubmissionRow): string {
  const form = formatId('frm', formId);
  return `{"id":"${formatId('sub', id)}","form_id":"${form}","fields":${fields},"created_at":"${created_at}"}`;
}
