import { runAtOnce } from '../admission/sliced-work.js';
import type { FieldDefinition, SentDefinition } from '../fields/field-definition.js';
import type { LocaleSettings } from '../fields/localized/locale-settings.js';
import type { FormSettings } from '../forms/settings/form-settings.js';
import { isSameSliced } from '../json/is-same-sliced.js';
import type { SearchLanguage } from '../search/stemmer.js';
import type { Signature } from '../webhooks/webhook.entity.js';
import type { WebhookFiltersDto } from '../webhooks/options/webhook-filters.js';

/** Content types, forms and webhooks that a document may have, each. */
export const MAX_ITEMS = 1_000;

export type DocumentLocales = Pick<LocaleSettings, 'default' | 'locales'>;

/** A content type without IDs. What it does not set is left out. */
export interface DocumentType {
  name: string;
  slug: string;
  /** The slug that it had until now. */
  renamed_from?: string;
  fields: SentDefinition[];
  public?: boolean;
  language?: SearchLanguage;
  preview_url?: string;
}

export interface DocumentForm {
  name: string;
  slug: string;
  /** The slug that it had until now. */
  renamed_from?: string;
  fields: FieldDefinition[];
  notify_email?: string;
  settings?: FormSettings;
}

/** A webhook without secrets and headers. It is known by its URL. */
export interface DocumentWebhook {
  url: string;
  events: string[];
  /** Only `false`: nothing is sent. */
  active?: boolean;
  signature?: Signature;
  description?: string;
  filters?: WebhookFiltersDto;
  payload?: 'full' | 'thin';
  ordered?: boolean;
  max_concurrency?: number;
}

/** The schema of a tenant. References name content types by slug. */
export interface SchemaDocument {
  locales?: DocumentLocales;
  types: DocumentType[];
  forms: DocumentForm[];
  webhooks: DocumentWebhook[];
}

/** Whether two values are the same. The order of names in their objects makes no difference. */
export function isSameValue(one: unknown, other: unknown): boolean {
  return runAtOnce(isSameSliced(one, other));
}

export function omit<Item extends object, Name extends keyof Item>(item: Item, name: Name): Omit<Item, Name> {
  const rest: Omit<Item, Name> & Partial<Item> = { ...item };
  delete rest[name];
  return rest;
}

/** The properties of an item without those that are undefined. */
export function present<Item extends object>(item: Item): Item {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined)) as Item;
}
