import { formatId } from '../../ids/type-id.js';
import type { SearchedEntry } from './content-search.service.js';

/** Characters of a title that are shown. */
const MAX_TITLE = 200;

/** The JSON of an entry that a search over all content types found. */
export function presentFoundEntry({ id, typeId, status, updatedAt, title, highlights }: SearchedEntry): string {
  const ids = `"id":"${formatId('ent', id)}","content_type_id":"${formatId('ct', typeId)}"`;
  const shown = `"title":${JSON.stringify(titleText(title))},"highlights":${highlights}`;
  return `{${ids},"status":"${status}",${shown},"updated_at":"${updatedAt}"}`;
}

/** The title, or the first value of a list; null if there is none. */
function titleText(title: string | null): string | null {
  const value = title === null ? null : (JSON.parse(title) as unknown);
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' ? [...first.slice(0, 2 * MAX_TITLE)].slice(0, MAX_TITLE).join('') : null;
}
