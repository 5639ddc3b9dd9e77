import { request } from './request';

export const FORM_FIELD_TYPES = [
  'text',
  'email',
  'textarea',
  'number',
  'tel',
  'url',
  'date',
  'select',
  'checkbox',
  'file',
  'hidden',
] as const;

export interface FormField {
  readonly name: string;
  readonly type: (typeof FORM_FIELD_TYPES)[number];
  readonly label?: string;
  readonly help?: string;
  readonly required?: boolean;
  readonly options?: readonly string[];
  readonly multiple?: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly accept?: readonly string[];
  readonly max_bytes?: number;
  readonly pattern?: string;
  readonly default?: string;
}

export interface SpamSettings {
  readonly honeypot?: string;
  readonly challenge?: boolean;
  readonly min_seconds?: number;
  readonly require_token?: boolean;
  readonly max_links?: number;
  readonly blocked_words?: readonly string[];
  readonly duplicates_within?: number;
}

export interface FormSettings {
  readonly notify?: readonly { readonly to: readonly string[]; readonly subject?: string; readonly when?: object }[];
  readonly autoresponder?: { readonly field: string; readonly subject: string; readonly text: string };
  readonly redirect?: string;
  readonly redirect_origins?: readonly string[];
  readonly thanks?: string;
  readonly language?: string;
  readonly spam?: SpamSettings;
  readonly retention_days?: number;
  readonly rate_limit?: number;
  readonly closed?: boolean;
  readonly store?: boolean;
}

interface FormSummary {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly submission_count: number;
}

export interface FormDetail {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly fields: readonly FormField[];
  readonly notify_email?: string;
  readonly settings?: FormSettings;
}

/** With what the service noticed about the submissions of the last days. */
interface FormWithWarnings {
  readonly data: FormDetail;
  readonly warnings?: readonly { readonly code: string; readonly message: string }[];
}

/** `null` removes what was set. */
export interface FormChanges {
  readonly name?: string;
  readonly slug?: string;
  readonly fields?: readonly FormField[];
  readonly notify_email?: string | null;
  readonly settings?: { readonly [Name in keyof FormSettings]?: FormSettings[Name] | null };
}

interface FormPage {
  readonly data: readonly FormSummary[];
  readonly meta: { readonly next_cursor: string | null };
}

/** Pages that are read at most, of 100 forms each. */
const MAX_PAGES = 20;

export function formsPath(tenantId: string): string {
  return `/v1/forms/${encodeURIComponent(tenantId)}`;
}

/** All forms of the tenant, by their names. */
export async function listForms(tenantId: string, signal?: AbortSignal): Promise<readonly FormSummary[]> {
  const forms: FormSummary[] = [];
  let cursor: string | null = '';
  for (let page = 0; cursor !== null && page < MAX_PAGES; page++) {
    const query = new URLSearchParams({ cursor, per_page: '100' });
    const answer: FormPage = await request<FormPage>('GET', `${formsPath(tenantId)}?${query}`, { signal });
    forms.push(...answer.data);
    cursor = answer.meta.next_cursor;
  }
  return forms.sort((one, other) => one.name.localeCompare(other.name));
}

export function getForm(tenantId: string, id: string, signal?: AbortSignal): Promise<FormWithWarnings> {
  return request('GET', `${formsPath(tenantId)}/${id}`, { signal });
}

export async function createForm(
  tenantId: string,
  body: { readonly name: string; readonly fields: readonly FormField[] },
): Promise<FormDetail> {
  return (await request<{ data: FormDetail }>('POST', formsPath(tenantId), { body })).data;
}

export async function updateForm(tenantId: string, id: string, body: FormChanges): Promise<FormDetail> {
  return (await request<{ data: FormDetail }>('PATCH', `${formsPath(tenantId)}/${id}`, { body })).data;
}

export async function deleteForm(tenantId: string, id: string): Promise<void> {
  await request('DELETE', `${formsPath(tenantId)}/${id}`);
}
