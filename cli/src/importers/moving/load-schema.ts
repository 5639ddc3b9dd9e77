import type { Contract } from '@trivet/client/request';
import { waitForChanges } from '../../schema/wait-for-changes.js';
import type { Session } from '../../session/session.js';
import type { FieldDraft, LocaleDraft, Reading, TypeDraft } from './model.js';

/** A plan reads all entries of the content types that change. */
const APPLY_MS = 10 * 60_000;

interface Document {
  locales?: { default: string; locales: LocaleDraft[] } | undefined;
  types: TypeDraft[];
  forms: [];
  webhooks: [];
}

interface SchemaStep {
  kind: string;
  item: string;
  op: string;
  field?: string;
}

/** The fields of a content type that have another name in the tenant. */
export type Names = ReadonlyMap<string, string>;

/** What the tenant gets, and how it gets there. */
export interface SchemaPlan {
  document: Document;
  /** By the slug of the content type. */
  names: ReadonlyMap<string, Names>;
  steps: readonly SchemaStep[];
  hash: string;
  /** Whether the tenant had no content types, so that locales which the source does not have are of no use. */
  isFirst: boolean;
}

/** Plans the locales and content types of a reading on top of what the tenant has. Nothing that the tenant has is removed. */
export async function planMove(session: Session, reading: Reading): Promise<SchemaPlan> {
  const { trivet, signal } = session;
  const { data } = await trivet.request('getSchema', { signal });
  const before = data as unknown as Document;
  const locales = localesOn(before, reading);
  const names = new Map<string, Names>();
  const types = [reading.fileType, ...reading.types].map((wanted) => {
    const found = before.types.find(({ slug }) => slug === wanted.slug);
    if (!found) return wanted;
    const own = besides(found, wanted, reading);
    names.set(wanted.slug, own.names);
    return extended(found, own.type);
  });
  const document: Document = { ...(locales && { locales }), types, forms: [], webhooks: [] };
  const { data: plan } = await trivet.request('planSchema', {
    body: { document } as unknown as Contract.PlanSchema,
    signal,
    timeout: APPLY_MS,
  });
  return {
    document,
    names,
    ...(plan as Pick<SchemaPlan, 'steps' | 'hash'>),
    isFirst: before.types.length === 0,
  };
}

/** Applies a plan, and waits for the changes of large content types. */
export async function applyPlan(session: Session, { document, hash, steps, isFirst }: SchemaPlan): Promise<void> {
  if (steps.length === 0) return;
  const { trivet, signal } = session;
  const body = { document, hash } as unknown as Contract.ApplySchema;
  const { data } = await trivet.request('applySchema', { body, signal, timeout: APPLY_MS });
  await waitForChanges(session, data.changes);
  // What a document does not have stays as it is, such as the locale that every tenant begins with.
  if (isFirst && document.locales) await trivet.request('setLocales', { body: document.locales, signal });
}

/** The locales that the tenant needs; undefined if it has them. A tenant without content types gets those of the source only. */
function localesOn(before: Document, { locales: wanted, report }: Reading): Document['locales'] {
  if (!wanted) return undefined;
  if (before.types.length === 0) return wanted;
  const { default: standard, locales } = before.locales ?? { default: 'en', locales: [] };
  const codes = new Set(locales.map(({ code }) => code));
  const missing = wanted.locales.filter(({ code }) => !codes.has(code));
  const isOther = wanted.default !== standard;
  if (isOther) {
    report.add(`The default locale of the source is ${wanted.default}, and that of the tenant stays ${standard}.`);
  }
  if (missing.length === 0) return undefined;
  const added = isOther ? missing.map((one) => ({ ...one, fallback: one.fallback ?? standard })) : missing;
  return { default: standard, locales: [...locales, ...added] };
}

/** The type with the fields that it lacks. A field that is there keeps its definition. */
function extended(found: TypeDraft, type: TypeDraft): TypeDraft {
  const wanted = new Map(type.fields.map((field) => [field.name, field]));
  const own = new Set(found.fields.map(({ name }) => name));
  const fields = found.fields.map((field) => widened(field, wanted.get(field.name)));
  return { ...found, fields: [...fields, ...type.fields.filter(({ name }) => !own.has(name))] };
}

/** The type with other names for fields that the tenant has of another kind: `category_2`. The same names in every run. */
function besides(found: TypeDraft, type: TypeDraft, { report }: Reading): { type: TypeDraft; names: Names } {
  const own = new Map(found.fields.map((field) => [field.name, field]));
  const names = new Map<string, string>();
  const fields = type.fields.map((field) => {
    let name = field.name;
    const isTaken = () => own.has(name) && !isAlike(own.get(name)!, field);
    for (let number = 2; isTaken(); number++) name = `${field.name}_${number}`;
    if (name === field.name) return field;
    names.set(field.name, name);
    report.add(
      'A field has another name: the content type of the tenant has one of another kind.',
      `${type.slug}.${field.name}: ${name}`,
    );
    return { ...field, name };
  });
  return { type: { ...type, fields }, names };
}

function isAlike(one: FieldDraft, other: FieldDraft): boolean {
  return one.type === other.type && !one.multiple === !other.multiple && !one.localized === !other.localized;
}

/** A field that takes what the source has now: further targets of references, options, inner fields and blocks. */
function widened(field: FieldDraft, wanted: FieldDraft | undefined): FieldDraft {
  if (!wanted || field.type !== wanted.type) return field;
  const { content_type: single, ...rest } = field as FieldDraft & { content_type?: string };
  if (field.type === 'reference') {
    const own = field.content_types ?? (single === undefined ? [] : [single]);
    const more = (wanted.content_types ?? []).filter((slug) => !own.includes(slug));
    return more.length === 0 ? field : { ...rest, content_types: [...own, ...more] };
  }
  if (field.options && wanted.options) {
    const more = wanted.options.filter((option) => !field.options!.includes(option));
    return { ...field, options: [...field.options, ...more] };
  }
  if (field.fields && wanted.fields) return { ...field, fields: merged(field.fields, wanted.fields) };
  if (!field.blocks || !wanted.blocks) return field;
  const own = new Map(field.blocks.map((block) => [block.name, block]));
  const blocks = field.blocks.map((block) => {
    const other = wanted.blocks!.find(({ name }) => name === block.name);
    return other ? { ...block, fields: merged(block.fields, other.fields) } : block;
  });
  return { ...field, blocks: [...blocks, ...wanted.blocks.filter(({ name }) => !own.has(name))] };
}

function merged(own: FieldDraft[], wanted: FieldDraft[]): FieldDraft[] {
  const names = new Set(own.map(({ name }) => name));
  return [
    ...own.map((field) =>
      widened(
        field,
        wanted.find(({ name }) => name === field.name),
      ),
    ),
    ...wanted.filter(({ name }) => !names.has(name)),
  ];
}

/** The values under the names that their fields have in the tenant. */
export function underNames(
  names: Names | undefined,
  fields: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [names?.get(name) ?? name, value]));
}
