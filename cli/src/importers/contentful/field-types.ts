import type { FieldDraft } from '../moving/model.js';
import { fieldNameOf } from '../moving/names.js';
import type { Report } from '../moving/report.js';
import type { ContentfulField, ContentfulType } from './space.js';

const TYPES: Readonly<Record<string, string>> = {
  Symbol: 'text',
  Text: 'text',
  RichText: 'rich_text',
  Integer: 'integer',
  Number: 'number',
  Boolean: 'boolean',
  Date: 'datetime',
  Object: 'json',
  Location: 'json',
  ResourceLink: 'json',
};

/** Options of a select are texts of this length at most. */
const MAX_OPTION = 255;

/** A field of Contentful, and what it becomes. */
export interface MappedField {
  from: ContentfulField;
  to: FieldDraft;
}

/** What fields need to know of the space. */
interface FieldContext {
  isLocalized: boolean;
  /** The slug of a content type; undefined if there is none. */
  slugOf(id: string): string | undefined;
  /** The content types to which the values of a field refer. */
  targetsOf(typeId: string, fieldId: string): ReadonlySet<string>;
  slugs: readonly string[];
  report: Report;
}

/** Returns what the fields of a content type become. */
export function fieldsOf({ sys: { id }, fields }: ContentfulType, context: FieldContext): MappedField[] {
  const taken = new Set<string>();
  return fields.map((from) => {
    const name = fieldNameOf(from.apiName ?? from.id, taken);
    taken.add(name);
    const { report } = context;
    const where = `${id}.${from.id}`;
    if (name !== (from.apiName ?? from.id))
      report.add('A field has another name, because its own is reserved or taken.', `${where}: ${name}`);
    const isLocalized = context.isLocalized && from.localized === true;
    const base = { name, label: from.name, ...(isLocalized && { localized: true }) };
    return { from, to: { ...base, ...kindOf(id, from, context) } };
  });
}

function kindOf(typeId: string, field: ContentfulField, context: FieldContext): Omit<FieldDraft, 'name'> {
  const { report } = context;
  const inList = field.type === 'Array' && field.items !== undefined;
  const of = inList ? field.items! : field;
  const multiple = inList && { multiple: true };
  const rules = [...(field.validations ?? []), ...(of === field ? [] : (of.validations ?? []))];
  noteRules(`${typeId}.${field.id}`, field, rules, report);
  if (of.type === 'Link' && of.linkType === 'Asset') return { type: 'media', ...multiple };
  if (of.type === 'Link' && of.linkType === 'Entry') {
    const named = rules.flatMap(({ linkContentType = [] }) => linkContentType);
    const found = [...named, ...context.targetsOf(typeId, field.id)].flatMap((id) => context.slugOf(id) ?? []);
    const slugs = [...new Set(found)];
    return { type: 'reference', ...multiple, content_types: slugs.length > 0 ? slugs : [...context.slugs] };
  }
  const type = TYPES[of.type] ?? 'json';
  const options = rules.flatMap((rule) => rule.in ?? []);
  const areTexts = options.every(
    (option) => typeof option === 'string' && option !== '' && option.length <= MAX_OPTION,
  );
  if (type === 'text' && options.length > 0 && areTexts)
    return { type: 'select', ...multiple, options: [...new Set(options as string[])] };
  const isUnique = !inList && rules.some((rule) => 'unique' in rule && rule.unique === true);
  return { type, ...multiple, ...(isUnique && type !== 'json' && { unique: true }) };
}

const TAKEN = new Set([
  'linkContentType',
  'linkMimetypeGroup',
  'in',
  'unique',
  'message',
  'nodes',
  'enabledMarks',
  'enabledNodeTypes',
]);

function noteRules(where: string, { required }: ContentfulField, rules: readonly object[], report: Report): void {
  if (required) report.add('A field is not required any more: set it when every entry has a value.', where);
  const others = new Set(rules.flatMap((rule) => Object.keys(rule)).filter((name) => !TAKEN.has(name)));
  for (const name of others) report.add(`The validation ${name} is left out.`, where);
}
