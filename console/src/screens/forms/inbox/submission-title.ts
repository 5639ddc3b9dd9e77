import type { FormDetail } from '../../../api/forms';
import type { Submission } from '../../../api/submissions';

/** Who sent it: the first name or address that it has. */
export function titleOfSubmission({ fields: definitions }: FormDetail, { fields, id }: Submission): string {
  const named = definitions.filter(({ type }) => type === 'text' || type === 'email').map(({ name }) => fields[name]);
  return named.find((value) => value !== undefined && value.trim() !== '') ?? Object.values(fields).find(Boolean) ?? id;
}

/** What it says besides, in a line. */
export function restOfSubmission(form: FormDetail, submission: Submission): string {
  const title = titleOfSubmission(form, submission);
  return Object.values(submission.fields)
    .filter((value) => value !== '' && value !== title)
    .join(' · ')
    .slice(0, 200);
}
