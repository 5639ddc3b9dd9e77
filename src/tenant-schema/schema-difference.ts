import type { SlicedWork } from '../admission/sliced-work.js';
import type { ContentType } from '../content/content-type.entity.js';
import type { FieldDefinition } from '../fields/field-definition.js';
import { settingsOf } from '../content/locales/checked-settings.js';
import { Problem, type ValueError } from '../errors/problem.js';
import type { Form } from '../forms/form.entity.js';
import { formatId, newUuid } from '../ids/type-id.js';
import { isSameSliced } from '../json/is-same-sliced.js';
import type { Webhook } from '../webhooks/webhook.entity.js';
import { canonicalFields, withPendingRenames } from './canonical-fields.js';
import {
  type DocumentForm,
  type DocumentLocales,
  type DocumentType,
  type DocumentWebhook,
  isSameValue,
  present,
  type SchemaDocument,
  omit,
} from './schema-document.js';
import {
  byUrl,
  documentForm,
  documentType,
  documentWebhook,
  type StoredSchema,
  withoutRevision,
} from './schema-state.js';

/** An item that is added or changed. `path` is where the document has it, `is` what it is now. */
export interface ItemChange<Stored, Item> {
  path: string;
  /** The UUID, also of one that is created. */
  id: string;
  before?: Stored;
  is?: Item;
  wanted: Item;
}

/** What differs between a tenant and a document. */
export interface SchemaDifference {
  locales?: { is: DocumentLocales; wanted: DocumentLocales };
  types: ItemChange<ContentType, DocumentType>[];
  forms: ItemChange<Form, DocumentForm>[];
  webhooks: ItemChange<Webhook, DocumentWebhook>[];
  /** What the document does not have. */
  deleted: { types: ContentType[]; forms: Form[]; webhooks: Webhook[] };
  /** The IDs of the document's content types, by slug. */
  typeIds: ReadonlyMap<string, string>;
}

/**
 * Compares what a tenant has with a document that was checked. Items at the paths `faulty` are left out, because they may have any shape, except for
 * what they are known by.
 */
export function* differenceOf(
  stored: StoredSchema,
  document: SchemaDocument,
  { isPruned, faulty }: { isPruned: boolean; faulty: ReadonlySet<string> },
): SlicedWork<SchemaDifference> {
  const slugs = new Map([...stored.types, ...stored.forms].map(({ id, slug }) => [id, slug]));
  const pairs = pairsOf(document.types, stored.types);
  const typeIds = new Map(pairs.map(({ wanted, id }) => [wanted.slug, id]));
  const slugAfter = new Map([...slugs, ...[...typeIds].map(([slug, id]) => [id, slug] as const)]);
  const publicIds = new Map([...slugAfter].map(([id, slug]) => [formatId('ct', id), slug]));
  const slugOf = (name: string) => publicIds.get(name) ?? name;
  const types: SchemaDifference['types'] = [];
  for (const { wanted, before, id, place } of pairs) {
    const path = `document.types.${place}`;
    if (faulty.has(path)) continue;
    const item = canonicalType(wanted, before, slugOf);
    const change = { path, id, before, wanted: item };
    const is = before && documentType(before, slugAfter);
    if (!is || !(yield* isSameSliced(is, item))) types.push({ ...change, is });
    yield;
  }
  const formPairs = pairsOf(document.forms, stored.forms);
  const forms: SchemaDifference['forms'] = [];
  for (const { wanted, before, id, place } of formPairs) {
    const path = `document.forms.${place}`;
    if (faulty.has(path)) continue;
    const form = omit(wanted, 'renamed_from');
    const fields = canonicalFields(form.fields, (name) => name);
    const item = present({ ...form, fields, settings: settingsIn(form) });
    const is = before && documentForm(before);
    if (!is || !(yield* isSameSliced(is, item))) forms.push({ path, id, before, is, wanted: item });
    yield;
  }
  const wantedWebhooks = document.webhooks
    .map((item, place) => ({ path: `document.webhooks.${place}`, item }))
    .filter(({ path }) => !faulty.has(path));
  const { changed: webhooks, left } = webhookChanges(wantedWebhooks, stored.webhooks, slugs);
  const kept = new Set([...pairs, ...formPairs].map(({ id }) => id));
  const isLeft = ({ id }: { id: string }) => isPruned && !kept.has(id);
  return {
    locales: localeChange(stored, document, isPruned),
    types,
    forms,
    webhooks,
    deleted: {
      types: stored.types.filter(isLeft),
      forms: stored.forms.filter(isLeft),
      webhooks: isPruned ? left : [],
    },
    typeIds,
  };
}

/** Finds what an item is now: what has its slug, or else the slug that it was renamed from. */
function pairsOf<Stored extends { id: string; slug: string }, Item extends { slug: string; renamed_from?: string }>(
  items: readonly Item[],
  stored: readonly Stored[],
): { wanted: Item; before?: Stored; id: string; place: number }[] {
  const bySlug = new Map(stored.map((one) => [one.slug, one]));
  const wantedSlugs = new Set(items.map(({ slug }) => slug));
  const taken = new Set<string>();
  return items.map((wanted, place) => {
    const { slug, renamed_from: from = '' } = wanted;
    const renamed = wantedSlugs.has(from) || taken.has(from) ? undefined : bySlug.get(from);
    const before = bySlug.get(slug) ?? renamed;
    if (before) taken.add(before.slug);
    return { wanted, before, id: before?.id ?? newUuid(), place };
  });
}

/** The item as `documentType` has it, with the renames of fields that are still to be made. */
function canonicalType(
  wanted: DocumentType,
  before: ContentType | undefined,
  slugOf: (name: string) => string,
): DocumentType {
  const type = omit(wanted, 'renamed_from');
  const fields = canonicalFields(type.fields, (name) => slugOf(name));
  return present({
    ...type,
    public: type.public === true ? true : undefined,
    fields: withPendingRenames(fields, before ? [...before.retired.filter(isOuter), ...before.fields] : []),
  });
}

function isOuter({ name }: FieldDefinition): boolean {
  return !name.includes('.');
}

function settingsIn({ settings }: DocumentForm): DocumentForm['settings'] {
  const set = Object.entries(settings ?? {}).filter(([, value]) => value !== null);
  return set.length > 0 ? Object.fromEntries(set) : undefined;
}

/** Webhooks with the same URL belong together: first those that are the same, then in the order of the document. */
function webhookChanges(
  wanted: readonly { path: string; item: DocumentWebhook }[],
  stored: readonly Webhook[],
  slugs: ReadonlyMap<string, string>,
): { changed: SchemaDifference['webhooks']; left: Webhook[] } {
  let left = stored.map((webhook) => ({ webhook, is: documentWebhook(webhook, slugs) }));
  left.sort((one, other) => byUrl(one.is, other.is));
  const take = (fits: (one: (typeof left)[number]) => boolean) => {
    const found = left.find(fits);
    left = left.filter((one) => one !== found);
    return found;
  };
  const items = wanted.map(({ path, item }) => ({ path, item: canonicalWebhook(item) }));
  const differing = items.filter(({ item }) => !take(({ is }) => isSameValue(is, item)));
  const changed = differing.map(({ path, item }) => {
    const found = take(({ is }) => is.url === item.url && is.signature === item.signature);
    return { path, id: found?.webhook.id ?? newUuid(), before: found?.webhook, is: found?.is, wanted: item };
  });
  return { changed, left: left.map(({ webhook }) => webhook) };
}

function canonicalWebhook(webhook: DocumentWebhook): DocumentWebhook {
  const { filters } = webhook;
  const sorted = (names: string[] | undefined) => names && [...names].sort();
  const set = Object.entries(webhook).filter(([, value]) => value !== null);
  return present({
    ...(Object.fromEntries(set) as unknown as DocumentWebhook),
    events: [...webhook.events].sort(),
    active: webhook.active === false ? false : undefined,
    filters: filters
      ? present({ ...filters, content_types: sorted(filters.content_types), forms: sorted(filters.forms) })
      : undefined,
  });
}

function localeChange(
  { locales: now }: StoredSchema,
  { locales: sent }: SchemaDocument,
  isPruned: boolean,
): SchemaDifference['locales'] {
  if (!sent) return undefined;
  const { settings, errors } = settingsOf(sent, 0);
  if (errors.length > 0) throw Problem.invalid(errors.map((error) => below('document.locales', error)));
  const codes = new Set(settings.locales.map(({ code }) => code));
  const others = isPruned ? [] : now.locales.filter(({ code }) => !codes.has(code));
  const wanted = { default: settings.default, locales: [...settings.locales, ...others] };
  const is = withoutRevision(now);
  return isSameValue(is, wanted) ? undefined : { is, wanted };
}

/** The error of an item, at its place in the document. */
export function below(path: string, error: ValueError): ValueError {
  return { ...error, path: error.path === '' ? path : `${path}.${error.path}` };
}
