import { formsPath } from './forms';
import { request } from './request';

export interface SubmissionFile {
  readonly id: string;
  readonly field: string;
  readonly name: string;
  readonly mime_type: string;
  readonly size: number;
}

/** A submission in the full view. */
export interface Submission {
  readonly id: string;
  readonly form_id: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly created_at: string;
  readonly verdict: 'ok' | 'spam';
  readonly reasons: readonly string[];
  readonly state: 'new' | 'read' | 'done';
  readonly note: string | null;
  readonly files: readonly SubmissionFile[];
  readonly origin: string | null;
  readonly locale: string | null;
}

export interface SubmissionMail {
  readonly id: string;
  readonly kind: 'notify' | 'autoresponder';
  readonly recipient: string;
  readonly state: 'pending' | 'sent' | 'failed' | 'canceled' | 'skipped';
  readonly attempts: number;
  readonly last_error: string | null;
  readonly sent_at: string | null;
}

interface SubmissionDay {
  readonly date: string;
  readonly ok: number;
  readonly spam: number;
}

/** Parameters of a list, as the API names them. */
export type SubmissionQuery = Readonly<Record<string, string>>;

interface SubmissionPage {
  readonly data: readonly Submission[];
  readonly meta: { readonly next_cursor: string | null };
}

const pathOf = (tenantId: string, formId: string) => `${formsPath(tenantId)}/${formId}/submissions`;

export function listSubmissions(
  tenantId: string,
  formId: string,
  query: SubmissionQuery,
  signal?: AbortSignal,
): Promise<SubmissionPage> {
  return request('GET', `${pathOf(tenantId, formId)}?${new URLSearchParams({ ...query, view: 'full' })}`, { signal });
}

export async function countSubmissions(
  tenantId: string,
  formId: string,
  query: SubmissionQuery,
  signal?: AbortSignal,
): Promise<number> {
  const path = `${pathOf(tenantId, formId)}?${new URLSearchParams({ ...query, page: '1', per_page: '1' })}`;
  return (await request<{ meta: { total: number } }>('GET', path, { signal })).meta.total;
}

interface SubmissionId {
  readonly id: string;
  readonly form_id: string;
}

const oneOf = (tenantId: string, { id, form_id: formId }: SubmissionId) => `${pathOf(tenantId, formId)}/${id}`;

export async function getSubmission(tenantId: string, which: SubmissionId, signal?: AbortSignal): Promise<Submission> {
  return (await request<{ data: Submission }>('GET', oneOf(tenantId, which), { signal })).data;
}

export async function updateSubmission(
  tenantId: string,
  which: SubmissionId,
  body: { readonly state?: Submission['state']; readonly note?: string | null },
): Promise<Submission> {
  return (await request<{ data: Submission }>('PATCH', oneOf(tenantId, which), { body })).data;
}

export async function releaseSubmission(tenantId: string, which: SubmissionId): Promise<Submission> {
  return (await request<{ data: Submission }>('POST', `${oneOf(tenantId, which)}/release`)).data;
}

export async function markAsSpam(tenantId: string, which: SubmissionId): Promise<Submission> {
  return (await request<{ data: Submission }>('POST', `${oneOf(tenantId, which)}/mark-spam`)).data;
}

export async function deleteSubmission(tenantId: string, which: SubmissionId): Promise<void> {
  await request('DELETE', oneOf(tenantId, which));
}

export async function listMails(
  tenantId: string,
  which: SubmissionId,
  signal?: AbortSignal,
): Promise<readonly SubmissionMail[]> {
  return (await request<{ data: SubmissionMail[] }>('GET', `${oneOf(tenantId, which)}/mails`, { signal })).data;
}

export function submissionFilePath(tenantId: string, which: SubmissionId, fileId: string): string {
  return `${oneOf(tenantId, which)}/files/${fileId}`;
}

export function submissionExportPath(tenantId: string, formId: string, query: SubmissionQuery): string {
  return `${pathOf(tenantId, formId)}/export?${new URLSearchParams(query)}`;
}

export async function submissionDays(
  tenantId: string,
  formId: string,
  signal?: AbortSignal,
): Promise<readonly SubmissionDay[]> {
  const path = `${formsPath(tenantId)}/${formId}/stats?days=30`;
  return (await request<{ data: SubmissionDay[] }>('GET', path, { signal })).data;
}
