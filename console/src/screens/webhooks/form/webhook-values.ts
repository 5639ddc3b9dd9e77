import type { Webhook, WebhookValues } from '../../../api/webhooks';
import { EVERY_EVENT } from '../events-in-words';

/** What the form holds. */
export interface FormValues {
  url: string;
  description: string;
  isForAll: boolean;
  events: string[];
  contentTypes: string[];
  forms: string[];
  status: '' | 'draft' | 'published';
  changed: string;
  locales: string[];
  headers: { name: string; value: string }[];
  payload: 'full' | 'thin';
  ordered: boolean;
  maxConcurrency: string;
  active: boolean;
  /** `keep` stands for what is set already. */
  signing: 'keep' | 'generate' | 'own' | 'ed25519' | 'none';
  secret: string;
}

const EMPTY: FormValues = {
  url: '',
  description: '',
  isForAll: false,
  events: [],
  contentTypes: [],
  forms: [],
  status: '',
  changed: '',
  locales: [],
  headers: [],
  payload: 'full',
  ordered: false,
  maxConcurrency: '',
  active: true,
  signing: 'generate',
  secret: '',
};

export function formValuesOf(webhook?: Webhook): FormValues {
  if (!webhook) return EMPTY;
  const { filters = {} } = webhook;
  const isForAll = webhook.events.includes(EVERY_EVENT);
  return {
    url: webhook.url,
    description: webhook.description ?? '',
    isForAll,
    events: isForAll ? [] : [...webhook.events],
    contentTypes: [...(filters.content_types ?? [])],
    forms: [...(filters.forms ?? [])],
    status: filters.status ?? '',
    changed: filters.changed?.join(', ') ?? '',
    locales: [...(filters.locales ?? [])],
    headers: Object.entries(webhook.headers ?? {}).map(([name, value]) => ({ name, value })),
    payload: webhook.payload ?? 'full',
    ordered: webhook.ordered ?? false,
    maxConcurrency: webhook.max_concurrency === undefined ? '' : String(webhook.max_concurrency),
    active: webhook.active,
    signing: 'keep',
    secret: '',
  };
}

/** The body of a request that saves the form. Options that are empty are left out of a new webhook, and removed from an old one. */
export function bodyOf(values: FormValues, isNew: boolean): WebhookValues {
  const filters = filtersOf(values);
  const options = {
    description: values.description.trim() || null,
    headers: values.headers.length === 0 ? null : headersOf(values),
    filters: Object.keys(filters).length === 0 ? null : filters,
    payload: values.payload === 'full' ? null : values.payload,
    ordered: values.ordered || null,
    max_concurrency: values.maxConcurrency === '' ? null : Number(values.maxConcurrency),
  };
  return {
    url: values.url.trim(),
    events: values.isForAll ? [EVERY_EVENT] : values.events,
    ...(isNew ? withoutNulls(options) : options),
    ...signingOf(values, isNew),
  };
}

function headersOf({ headers }: FormValues): Record<string, string> {
  return Object.fromEntries(headers.map(({ name, value }) => [name.trim(), value]));
}

function filtersOf({ contentTypes, forms, status, changed, locales }: FormValues) {
  const names = changed.split(/[\s,]+/).filter(Boolean);
  return {
    ...(contentTypes.length > 0 && { content_types: contentTypes }),
    ...(forms.length > 0 && { forms }),
    ...(status !== '' && { status }),
    ...(names.length > 0 && { changed: names }),
    ...(locales.length > 0 && { locales }),
  };
}

function signingOf({ signing, secret }: FormValues, isNew: boolean): Pick<WebhookValues, 'secret' | 'signature'> {
  if (signing === 'generate') return { secret: 'generate' };
  if (signing === 'own') return { secret };
  if (signing === 'ed25519') return { signature: 'ed25519' };
  return signing === 'none' && !isNew ? { secret: null } : {};
}

function withoutNulls<T extends object>(values: T): { [Name in keyof T]?: NonNullable<T[Name]> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)) as {
    [Name in keyof T]?: NonNullable<T[Name]>;
  };
}
