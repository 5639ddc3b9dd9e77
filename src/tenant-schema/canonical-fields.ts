import { namedTypes } from '../fields/constraints/targets.js';
import type { SentDefinition } from '../fields/field-definition.js';
import { isRecord } from '../fields/record.js';

/** Returns the slug of a content type that a definition names. `key` is the key of the field, `place` that of the name in its list. */
type SlugOfName = (name: string, key: string, place: number) => string;

/** The attributes that come first. The others follow by their names. */
const FIRST = ['name', 'type', 'label'];

/** Definitions in one form: attributes in a fixed order, content types by their slugs. At all levels. */
export function canonicalFields(fields: readonly SentDefinition[], slugOf: SlugOfName, key = ''): SentDefinition[] {
  return fields.map((field) => canonicalField(field, slugOf, key + field.name));
}

function canonicalField(field: SentDefinition, slugOf: SlugOfName, key: string): SentDefinition {
  const { fields, blocks } = field;
  const names: unknown = namedTypes(field);
  const slugs = Array.isArray(names) ? (names as string[]).map((name, place) => slugOf(name, key, place)) : [];
  const canonical: SentDefinition = {
    ...field,
    ...(field.content_type !== undefined && { content_type: slugs[0] ?? field.content_type }),
    ...(slugs.length > 0 && field.content_types !== undefined && { content_types: slugs }),
    ...(isList(fields) && { fields: canonicalFields(fields, slugOf, `${key}.`) }),
    ...(isList(blocks) && {
      blocks: blocks.map((block) =>
        inOrder({
          ...block,
          ...(isList(block.fields) && { fields: canonicalFields(block.fields, slugOf, `${key}.${block.name}.`) }),
        }),
      ),
    }),
  };
  return inOrder(canonical);
}

/** What is inside a definition of an unknown type, whose extension is off, may have any shape. */
function isList<Item>(value: readonly Item[] | undefined): value is readonly Item[] {
  return Array.isArray(value) && value.every(isRecord);
}

function inOrder<Item extends object>(item: Item): Item {
  const place = (name: string) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  const entries = Object.entries(item).sort(([a], [b]) => place(a) - place(b) || (a < b ? -1 : 1));
  return Object.fromEntries(entries) as Item;
}

/**
 * Keeps `renamed_from` where the rename is still to be made: the field is not there yet, and one with the old name is. What was applied
 * may stay in a file.
 */
export function withPendingRenames(
  wanted: readonly SentDefinition[],
  now: readonly SentDefinition[],
): SentDefinition[] {
  const names = new Map(now.map((field) => [field.name, field]));
  return wanted.map(({ renamed_from: from, ...field }) => {
    const isPending = from !== undefined && !names.has(field.name) && names.has(from);
    const before = names.get(isPending ? from : field.name);
    return {
      ...field,
      ...(isPending && { renamed_from: from }),
      ...(isList(field.fields) && { fields: withPendingRenames(field.fields, before?.fields ?? []) }),
      ...(isList(field.blocks) && {
        blocks: field.blocks.map((block) => {
          const earlier = before?.blocks?.find(({ name }) => name === block.name);
          return isList(block.fields)
            ? { ...block, fields: withPendingRenames(block.fields, earlier?.fields ?? []) }
            : block;
        }),
      }),
    };
  });
}
