import { entryMark, fileMark, htmlMark, type FieldDraft } from '../moving/model.js';
import { fieldNameOf } from '../moving/names.js';
import type { Report } from '../moving/report.js';
import { blocksHtml } from './blocks-html.js';
import { FILE, type StrapiAttribute, type StrapiExport, type StrapiSchema } from './export-files.js';

const PLAIN: Readonly<Record<string, string>> = {
  string: 'text',
  text: 'text',
  uid: 'text',
  biginteger: 'text',
  time: 'text',
  blocks: 'rich_text',
  integer: 'integer',
  decimal: 'number',
  float: 'number',
  boolean: 'boolean',
  date: 'date',
  datetime: 'datetime',
  timestamp: 'datetime',
  email: 'email',
  json: 'json',
};

/** Columns that every row has. */
const SYSTEM = new Set([
  'id',
  'documentId',
  'createdAt',
  'updatedAt',
  'publishedAt',
  'createdBy',
  'updatedBy',
  'locale',
  'localizations',
  'strapi_stage',
  'strapi_assignee',
]);
/** Groups and blocks inside each other. */
const MAX_LEVELS = 5;

export const documentKey = (uid: string, document: string) => `${uid} ${document}`;
export const uploadKey = (id: number | string) => `file ${id}`;

/** A field, and how its value is found in a row. */
export interface StrapiField {
  attribute: string;
  to: FieldDraft;
  /** Returns undefined if the row has no value. `data` has the columns of the row, and `ref` is its ID. */
  value: (data: Record<string, unknown>, type: string, ref: number | string) => unknown;
}

interface StrapiContext {
  found: StrapiExport;
  slugOf: (uid: string) => string | undefined;
  isLocalized(schema: StrapiSchema, attribute: StrapiAttribute): boolean;
  report: Report;
}

/** Returns the fields of a content type or a component. */
export function strapiFields(schema: StrapiSchema, context: StrapiContext, level = 0): StrapiField[] {
  const taken = new Set<string>();
  return Object.entries(schema.attributes).flatMap(([attribute, definition]) => {
    if (SYSTEM.has(attribute)) return [];
    const where = `${schema.uid}.${attribute}`;
    const name = fieldNameOf(attribute, taken);
    const field = fieldOf(where, definition, context, level);
    if (!field) return [];
    taken.add(name);
    if (name !== attribute)
      context.report.add('A field has another name, because its own is reserved or taken.', `${where}: ${name}`);
    if (level === 0 && definition.required)
      context.report.add('A field is not required any more: set it when every entry has a value.', where);
    const localized = level === 0 && context.isLocalized(schema, definition) && { localized: true };
    const to: FieldDraft = { name, ...field.to, ...localized };
    return [
      { attribute, to, value: (data, type, ref) => field.value(data[attribute], { type, ref, field: attribute }) },
    ];
  });
}

interface Kind {
  to: Omit<FieldDraft, 'name'>;
  value(value: unknown, at: { type: string; ref: number | string; field: string }): unknown;
}

function fieldOf(where: string, attribute: StrapiAttribute, context: StrapiContext, level: number): Kind | undefined {
  const { report, found } = context;
  if (attribute.type === 'relation') return relationOf(where, attribute, context);
  if (attribute.type === 'media') {
    const files = (at: Parameters<Kind['value']>[1]) =>
      found.linked(at.type, at.ref, at.field).filter(({ type }) => type === FILE);
    if (attribute.multiple) {
      return {
        to: { type: 'media', multiple: true },
        value: (_value, at) => orNone(files(at).map(({ ref }) => fileMark(uploadKey(ref)))),
      };
    }
    return { to: { type: 'media' }, value: (_value, at) => files(at).map(({ ref }) => fileMark(uploadKey(ref)))[0] };
  }
  if (attribute.type === 'component') return componentOf(where, attribute, context, level);
  if (attribute.type === 'dynamiczone') return zoneOf(where, attribute, context, level);
  if (attribute.type === 'password') return void report.add('Passwords are left out.', where);
  if (attribute.type === 'richtext') report.add('A text in Markdown stays Markdown.', where);
  if (attribute.type === 'enumeration') {
    const options = (attribute.enum ?? []).filter((option) => option !== '');
    if (options.length === 0) return { to: { type: 'text' }, value: textOf };
    return { to: { type: 'select', options }, value: (value) => (options.includes(String(value)) ? value : undefined) };
  }
  // Links to files in it are written anew, as in HTML.
  if (attribute.type === 'richtext')
    return {
      to: { type: 'text' },
      value: (value) => (typeof value === 'string' && value !== '' ? htmlMark(value) : undefined),
    };
  const type = PLAIN[attribute.type] ?? 'json';
  const isUnique = level === 0 && (attribute.type === 'uid' || attribute.unique === true) && type !== 'json';
  return { to: { type, ...(isUnique && { unique: true }) }, value: (value) => plainOf(type, value) };
}

function plainOf(type: string, value: unknown): unknown {
  if (value === undefined || value === null) return undefined;
  if (type === 'text' || type === 'email') return value === '' && type === 'email' ? undefined : textOf(value);
  if (type === 'rich_text') return htmlMark(blocksHtml(value));
  if (type === 'number' || type === 'integer') return value === '' ? undefined : Number(value);
  if (type === 'boolean') return value === true || value === 1;
  return value === '' && type !== 'json' ? undefined : value;
}

function relationOf(
  where: string,
  attribute: StrapiAttribute,
  { found, slugOf, report }: StrapiContext,
): Kind | undefined {
  const { target, mappedBy, relation = '' } = attribute;
  if (mappedBy !== undefined) {
    return void report.add('The other side of a relation is left out: the referrers of an entry are the same.', where);
  }
  const slug = target === undefined ? undefined : slugOf(target);
  if (slug === undefined || target === undefined)
    return void report.add(
      'A relation to something that is not imported is left out.',
      `${where} to ${target ?? 'any'}`,
    );
  const keys = (at: Parameters<Kind['value']>[1]) => {
    const documents = found
      .linked(at.type, at.ref, at.field)
      .flatMap(({ type, ref }) => found.documentOf(type, ref) ?? []);
    return [...new Set(documents)].map((document) => entryMark(documentKey(target, document)));
  };
  const isMany = relation.endsWith('Many');
  const to = { type: 'reference', content_types: [slug], ...(isMany && { multiple: true }) };
  return { to, value: (_value, at) => (isMany ? orNone(keys(at)) : keys(at)[0]) };
}

function componentOf(
  where: string,
  attribute: StrapiAttribute,
  context: StrapiContext,
  level: number,
): Kind | undefined {
  const schema = context.found.schemas.get(attribute.component ?? '');
  if (!schema) return void context.report.add('A component that is not in the file is left out.', where);
  const fields = level < MAX_LEVELS ? strapiFields(schema, context, level + 1) : [];
  const many = attribute.repeatable === true && { multiple: true };
  if (fields.length === 0) return { to: { type: 'json' }, value: (value) => value ?? undefined };
  const one = (value: unknown) => valuesOf(fields, schema.uid, value);
  const to = { type: 'group', fields: fields.map((field) => field.to), ...many };
  return {
    to,
    value: (value) => {
      if (value === undefined || value === null) return undefined;
      return many
        ? orNone((Array.isArray(value) ? value : [value]).map(one))
        : one(Array.isArray(value) ? value[0] : value);
    },
  };
}

function zoneOf(where: string, attribute: StrapiAttribute, context: StrapiContext, level: number): Kind | undefined {
  const blocks = new Map<string, { name: string; label: string; fields: StrapiField[] }>();
  const taken = new Set<string>();
  for (const uid of level < MAX_LEVELS ? (attribute.components ?? []) : []) {
    const schema = context.found.schemas.get(uid);
    const fields = schema ? strapiFields(schema, context, level + 1) : [];
    if (!schema || fields.length === 0) {
      context.report.add('A component of a dynamic zone has no fields, and is left out.', `${where} ${uid}`);
      continue;
    }
    const name = fieldNameOf(uid, taken);
    taken.add(name);
    blocks.set(uid, { name, label: schema.info.displayName ?? uid, fields });
  }
  if (blocks.size === 0) return { to: { type: 'json' }, value: (value) => value ?? undefined };
  const to = {
    type: 'blocks',
    blocks: [...blocks.values()].map(({ name, label, fields }) => ({
      name,
      label,
      fields: fields.map((field) => field.to),
    })),
  };
  return {
    to,
    value: (value) => {
      const items = (Array.isArray(value) ? value : []) as { __component?: string }[];
      return orNone(
        items.flatMap((item) => {
          const block = blocks.get(item.__component ?? '');
          return block ? [{ block: block.name, ...valuesOf(block.fields, item.__component!, item) }] : [];
        }),
      );
    },
  };
}

/** The values of a component, which has an ID of its own that links name. */
function valuesOf(fields: readonly StrapiField[], uid: string, value: unknown): Record<string, unknown> {
  const data = (value ?? {}) as Record<string, unknown>;
  const ref = data['id'] as number;
  const values = fields.map((field) => [field.to.name, field.value(data, uid, ref)] as const);
  return Object.fromEntries(values.filter(([, one]) => one !== undefined && one !== null));
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function orNone<Item>(items: Item[]): Item[] | undefined {
  return items.length > 0 ? items : undefined;
}
