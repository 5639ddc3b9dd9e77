import { formatId } from '../ids/type-id.js';
import type { Form } from './form.entity.js';
import type { CreatedFormDto, FormDto } from './forms.dto.js';

/** As the list shows it: with the number of its submissions. */
export function presentForm({ form, submissions }: { form: Form; submissions: number }): FormDto {
  return { ...common(form), submission_count: submissions, created_at: form.createdAt.toISOString() };
}

/** As create shows it: with the address to notify, if one was given. */
export function presentCreatedForm(form: Form): CreatedFormDto {
  const notified = form.notifyEmail === null ? {} : { notify_email: form.notifyEmail };
  return { ...common(form), ...notified, created_at: form.createdAt.toISOString() };
}

function common({ id, name, slug, fields }: Form) {
  return { id: formatId('frm', id), name, slug, fields };
}
