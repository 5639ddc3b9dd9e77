import { versionEtag } from '../http/responses/etag.js';
import { formatId } from '../ids/type-id.js';
import type { Form } from './form.entity.js';
import type { FormDetailDto } from './forms.dto.js';

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

/** The form that create, get and update return, and that events contain: with the address to notify and the settings if there are any. */
export function presentForm({ id, name, slug, fields, notifyEmail, settings, createdAt }: Form): FormDetailDto {
  return {
    id: formatId('frm', id),
    name,
    slug,
    fields,
    ...(notifyEmail !== null && { notify_email: notifyEmail }),
    ...(settings !== null && { settings }),
    created_at: createdAt.toISOString(),
  };
}

/** The ETag of the form. */
export function formEtag({ version }: Form): string {
  return versionEtag(version);
}
