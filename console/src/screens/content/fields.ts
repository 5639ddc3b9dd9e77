import type { ContentType, FieldDefinition } from '../../api/content-types';
import type { FilterField, FilterKind } from '../../lists/filter';

/** A field as lists show it: those in single groups stand for themselves. */
export interface ListedField {
  /** As the API names it in `sort` and `where`: `seo.title`. */
  readonly path: string;
  readonly label: string;
  readonly definition: FieldDefinition;
}

/** What the API sorts by, of which people see the order: not references, which it sorts by their IDs. */
const SORTABLE = ['text', 'rich_text', 'number', 'integer', 'boolean', 'date', 'datetime', 'email', 'url', 'select'];

const FILTER_KINDS: Readonly<Record<string, FilterKind>> = {
  text: 'text',
  rich_text: 'text',
  email: 'text',
  url: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  date: 'date',
  datetime: 'time',
  select: 'choice',
  reference: 'id',
  media: 'presence',
};

/** What every entry has. */
const OWN_FILTERS: readonly FilterField[] = [
  {
    name: 'status',
    label: 'Status',
    kind: 'choice',
    options: [
      { value: 'draft', label: 'Draft' },
      { value: 'published', label: 'Published' },
    ],
  },
  { name: 'updated_at', label: 'Updated', kind: 'time' },
  { name: 'created_at', label: 'Created', kind: 'time' },
  { name: 'published_at', label: 'Published at', kind: 'time' },
];

export function listedFields({ fields }: Pick<ContentType, 'fields'>): readonly ListedField[] {
  return fields.flatMap((field) => listed(field, '', ''));
}

function listed(definition: FieldDefinition, pathBefore: string, labelBefore: string): readonly ListedField[] {
  const path = pathBefore + definition.name;
  const label = labelBefore + labelOf(definition);
  if (definition.type !== 'group' || definition.multiple) return [{ path, label, definition }];
  return (definition.fields ?? []).flatMap((field) => listed(field, `${path}.`, `${label} › `));
}

export function labelOf({ label, name }: Pick<FieldDefinition, 'label' | 'name'>): string {
  return label?.trim() || name;
}

export function isSortable({ type }: FieldDefinition): boolean {
  return SORTABLE.includes(type);
}

export function filterFieldsOf(type: ContentType): readonly FilterField[] {
  const own = listedFields(type).flatMap(({ path, label, definition }): FilterField[] => {
    const kind = FILTER_KINDS[definition.type];
    if (!kind) return [];
    const options = definition.options?.map((value) => ({ value, label: value }));
    return [{ name: path, label, kind, ...(options && { options }) }];
  });
  return [...own, ...OWN_FILTERS];
}
