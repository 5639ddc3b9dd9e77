import { randomInt } from 'node:crypto';
import type { TestApp, TestTenant } from './app.js';

export interface MailRow {
  submission_id: string;
  status: string;
  digest_id: string | null;
  attempts: number;
  last_error: string | null;
  next_attempt_at: Date | null;
  finished_at: Date | null;
}

/** A form with a notify_email that no other test uses. */
export interface NotifiedForm {
  tenant: TestTenant;
  id: string;
  /** The path of its submissions. */
  path: string;
  recipient: string;
}

export const FORM_FIELDS = [
  { name: 'name', type: 'text', required: true, label: 'Your name' },
  { name: 'email', type: 'email' },
  { name: 'message', type: 'textarea' },
];

let recipients = 0;

export async function newForm(
  app: TestApp,
  form: { name?: string; fields?: object[]; tenant?: TestTenant } = {},
): Promise<NotifiedForm> {
  const { name = 'Contact', fields = FORM_FIELDS, tenant = app.tenant() } = form;
  const recipient = `recipient-${++recipients}@example.com`;
  const response = await tenant.http
    .post(`/v1/forms/${tenant.id}`, { name, fields, notify_email: recipient })
    .expect(201);
  const id = response.body.data.id as string;
  return { tenant, id, path: `/v1/forms/${tenant.id}/${id}/submissions`, recipient };
}

/** Returns the submission's ID. Each submission has a new client address because of the rate limit. */
export async function submit(
  app: TestApp,
  { path }: Pick<NotifiedForm, 'path'>,
  fields: object = { name: 'Ada' },
  address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`,
): Promise<string> {
  const visitor = app.client(undefined, { 'X-Forwarded-For': address });
  const response = await visitor.post(path, { fields }).expect(201);
  return response.body.data.id as string;
}

/** The rows of the form's tenant in `mails`. */
export async function mailRows(app: TestApp, { tenant }: NotifiedForm): Promise<MailRow[]> {
  return app.database.query<MailRow>('SELECT * FROM mails WHERE tenant_id = $1 ORDER BY submission_id', [tenant.id]);
}
