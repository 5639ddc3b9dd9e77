import type { ContentType, FieldDefinition } from '../../api/content-types';
import type { Entry } from '../../api/entries';
import { shortened, textOfHtml } from './values/short-text';

/** Types of fields whose values may stand for an entry, after `text`. */
const TEXT_LIKE = ['email', 'url', 'select', 'rich_text'];

/** The field that names an entry: the first text of the content type, else what is like one. */
export function titleField({ fields }: Pick<ContentType, 'fields'>): FieldDefinition | undefined {
  const single = fields.filter(({ multiple }) => !multiple);
  return single.find(({ type }) => type === 'text') ?? single.find(({ type }) => TEXT_LIKE.includes(type));
}

/** What an entry is called: its title, else its ID. */
export function titleOf(field: FieldDefinition | undefined, { id, fields }: Pick<Entry, 'id' | 'fields'>): string {
  const value = field && fields[field.name];
  if (typeof value !== 'string') return id;
  return shortened(field?.type === 'rich_text' ? textOfHtml(value) : value) || id;
}
