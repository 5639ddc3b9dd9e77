import { formatId } from '../ids/type-id.js';
import type { Form } from './form.entity.js';
import type { CreatedFormDto } from './forms.dto.js';

/** A form's row in a list: `fields` is JSON text, `created_at` is ISO 8601. */
export interface FormRow {
  id: string;
  name: string;
  slug: string;
  fields: string;
  created_at: string;
}

/** As the list shows it: with the number of its submissions. The row's JSON is passed through as it is. */
export function formText({ id, name, slug, fields, created_at }: FormRow, submissions: number): string {
  const head = `{"id":"${formatId('frm', id)}","name":${JSON.stringify(name)},"slug":"${slug}"`;
  return `${head},"fields":${fields},"submission_count":${submissions},"created_at":"${created_at}"}`;
}

/** As create shows it: with the address to notify, if one was given. */
export function presentCreatedForm(form: Form): CreatedFormDto {
  const notified = form.notifyEmail === null ? {} : { notify_email: form.notifyEmail };
  return { ...common(form), ...notified, created_at: form.createdAt.toISOString() };
}

function common({ id, name, slug, fields }: Form) {
  return { id: formatId('frm', id), name, slug, fields };
}
