import { Injectable } from '@nestjs/common';
import { assertMayRead } from '../access/may-read.js';
import type { SlicedWork } from '../admission/sliced-work.js';
import { type ContentType, targetsOf } from '../content/content-type.entity.js';
import { ContentTypesService } from '../content/content-types.service.js';
import { LocalesService } from '../content/locales/locales.service.js';
import { Database } from '../database/database.js';
import { Problem } from '../errors/problem.js';
import type { LocaleSettings } from '../fields/localized/locale-settings.js';
import type { Form } from '../forms/form.entity.js';
import { FormsService } from '../forms/forms.service.js';
import type { Caller } from '../http/caller.js';
import { formatId } from '../ids/type-id.js';
import { presentOptions } from '../webhooks/options/webhook-options.js';
import type { Webhook } from '../webhooks/webhook.entity.js';
import { WebhooksService } from '../webhooks/webhooks.service.js';
import { canonicalFields } from './canonical-fields.js';
import {
  type DocumentForm,
  type DocumentLocales,
  type DocumentType,
  type DocumentWebhook,
  MAX_ITEMS,
  present,
  type SchemaDocument,
  omit,
} from './schema-document.js';
import { SIZE_OF_SCHEMA } from './schema-state.sql.js';

/** Bytes of the definitions of a document. */
const MAX_BYTES = 6 * 1024 * 1024;

/** What a tenant has, as it is stored. */
export interface StoredSchema {
  locales: LocaleSettings;
  types: ContentType[];
  forms: Form[];
  webhooks: Webhook[];
}

/** Reads the schema of a tenant. */
@Injectable()
export class SchemaState {
  constructor(
    private readonly database: Database,
    private readonly types: ContentTypesService,
    private readonly locales: LocalesService,
    private readonly forms: FormsService,
    private readonly webhooks: WebhooksService,
  ) {}

  /** Throws a 403 if the key does not read all of it, or if it is too large for a document. */
  async read(caller: Caller): Promise<StoredSchema> {
    assertMayReadSchema(caller);
    const [size] = await this.database.query(caller.tenantId, SIZE_OF_SCHEMA, {});
    if (!size || size.bytes > MAX_BYTES || size.most > MAX_ITEMS) throw tooLarge();
    return {
      locales: await this.locales.get(caller),
      types: await this.types.all(caller),
      forms: await this.forms.all(caller),
      webhooks: await this.webhooks.list(caller),
    };
  }
}

/** Throws a 403 unless the key reads all that a schema consists of. */
export function assertMayReadSchema(caller: Caller): void {
  for (const area of ['content', 'forms', 'webhooks'] as const) assertMayRead(caller, { area });
}

/** The document of a schema. The same schema always gives the same document, in the same order. */
export function* schemaDocumentOf(schema: StoredSchema): SlicedWork<SchemaDocument> {
  const slugs = new Map([...schema.types, ...schema.forms].map(({ id, slug }) => [id, slug]));
  const document: SchemaDocument = { locales: withoutRevision(schema.locales), types: [], forms: [], webhooks: [] };
  for (const type of bySlug(schema.types)) {
    document.types.push(documentType(type, slugs));
    yield;
  }
  for (const form of bySlug(schema.forms)) {
    document.forms.push(documentForm(form));
    yield;
  }
  document.webhooks = schema.webhooks.map((webhook) => documentWebhook(webhook, slugs)).sort(byUrl);
  return document;
}

export function documentType(type: ContentType, slugs: ReadonlyMap<string, string>): DocumentType {
  const { name, slug, fields, targets, public: isPublic, language, previewUrl } = type;
  // The name is one of before, if the content type was deleted.
  const slugOf = (named: string, key: string, place: number) =>
    slugs.get(targetsOf(targets, key)[place] ?? '') ?? named;
  return present({
    name,
    slug,
    public: isPublic === true ? true : undefined,
    language: language ?? undefined,
    preview_url: previewUrl ?? undefined,
    fields: canonicalFields(fields, slugOf),
  });
}

export function documentForm({ name, slug, fields, notifyEmail, settings }: Form): DocumentForm {
  return present({
    name,
    slug,
    notify_email: notifyEmail ?? undefined,
    settings: settings ?? undefined,
    fields: canonicalFields(fields, (named) => named),
  });
}

/** One that the service has made inactive counts as active: that is not a matter of the schema. */
export function documentWebhook(webhook: Webhook, slugs: ReadonlyMap<string, string>): DocumentWebhook {
  const { filters, ...options } = omit(presentOptions(webhook), 'headers');
  const isOff = !webhook.active && webhook.disabledReason === null;
  const named = (prefix: 'ct' | 'frm', ids: readonly string[] | undefined) =>
    ids?.map((id) => slugs.get(id) ?? formatId(prefix, id)).sort();
  return present({
    url: webhook.url,
    events: [...webhook.events].sort(),
    active: isOff ? false : undefined,
    signature: webhook.publicKey === null ? undefined : 'ed25519',
    ...options,
    filters:
      filters &&
      present({
        ...filters,
        content_types: named('ct', webhook.filters?.contentTypes),
        forms: named('frm', webhook.filters?.forms),
      }),
  });
}

function bySlug<Item extends { slug: string }>(items: readonly Item[]): Item[] {
  return [...items].sort((one, other) => (one.slug < other.slug ? -1 : 1));
}

export function withoutRevision({ default: standard, locales }: LocaleSettings): DocumentLocales {
  return { default: standard, locales };
}

export function byUrl(one: DocumentWebhook, other: DocumentWebhook): number {
  const text = (webhook: DocumentWebhook) => `${webhook.url} ${JSON.stringify(webhook)}`;
  return text(one) < text(other) ? -1 : 1;
}

function tooLarge(): Problem {
  const detail = `The schema is too large for one document: at most ${MAX_ITEMS} content types, forms and webhooks each, and 6 MiB.`;
  return new Problem('limit_reached', detail);
}
