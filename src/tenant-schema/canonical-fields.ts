import { namedTypes } from '../fields/constraints/targets.js';
import type { SentDefinition } from '../fields/field-definition.js';

/** Returns the slug of a content type that a definition names. `key` is the key of the field, `place` that of the name in its list. */
type SlugOfName = (name: string, key: string, place: number) => string;

/** The attributes that come first. The others follow by their names. */
const FIRST = ['name', 'type', 'label'];

/** Definitions in one form: attributes in a fixed order, content types by their slugs. At all levels. */
export function canonicalFields(fields: readonly SentDefinition[], slugOf: SlugOfName, key = ''): SentDefinition[] {
  return fields.map((field) => canonicalField(field, slugOf, key + field.name));
}

function canonicalField(field: SentDefinition, slugOf: SlugOfName, key: string): SentDefinition {
  const slugs = namedTypes(field).map((name, place) => slugOf(name, key, place));
  const { fields, blocks } = field;
  const canonical: SentDefinition = {
    ...field,
    ...(field.content_type !== undefined && { content_type: slugs[0] ?? field.content_type }),
    ...(field.content_types !== undefined && { content_types: slugs }),
    ...(fields && { fields: canonicalFields(fields, slugOf, `${key}.`) }),
    ...(blocks && {
      blocks: blocks.map((block) =>
        inOrder({ ...block, fields: canonicalFields(block.fields, slugOf, `${key}.${block.name}.`) }),
      ),
    }),
  };
  return inOrder(canonical);
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
      ...(field.fields && { fields: withPendingRenames(field.fields, before?.fields ?? []) }),
      ...(field.blocks && {
        blocks: field.blocks.map((block) => ({
          ...block,
          fields: withPendingRenames(
            block.fields,
            before?.blocks?.find(({ name }) => name === block.name)?.fields ?? [],
          ),
        })),
      }),
    };
  });
}
