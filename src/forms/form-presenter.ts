import { formatId } from '../ids/type-id.js';
import type { Form } from './form.entity.js';
import type { CreatedFormDto } from './forms.dto.js';

/** A form's row in a list: `fields` is JSON text, `createdAt` is ISO 8601. */
export interface FormRow {
  id: string;
  name: string;
  slug: string;
  fields: string;
  createdAt: string;
}

/** The form's JSON in a list, with the number of its submissions. The row's JSON is passed through unchanged. */
export function formText({ id, name, slug, fields, createdAt }: FormRow, submissions: number): string {
  const head = `{"id":"${formatId('frm', id)}","name":${JSON.stringify(name)},"slug":"${slug}"`;
  return `${head},"fields":${fields},"submission_count":${submissions},"created_at":"${createdAt}"}`;
}

/** The form that create returns, with the address to notify if one was sent. */
export function presentCreatedForm(form: Form): CreatedFormDto {
  const notified = form.notifyEmail === null ? {} : { notify_email: form.notifyEmail };
  return { ...common(form), ...notified, created_at: form.createdAt.toISOString() };
}

function common({ id, name, slug, fields }: Form) {
  return { id: formatId('frm', id), name, slug, fields };
}
