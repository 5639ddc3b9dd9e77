import { searchMatch, type SearchMatch } from '../../search/search-match.js';
import { readSearch } from '../../search/search-query.js';
import { searchDocument } from '../../search/search-vector.js';
import type { SearchLine } from '../../fields/search-text.js';
import { partitionOf } from '../../search/words.js';
import type { MediaRow } from '../media.sql.js';

/**
 * Returns the search vector of a file: the words of its name, also those joined by signs (`summer_2024.jpg`), and of its alternative text.
 */
export function mediaVector(tenantId: string, { filename, alt }: Pick<MediaRow, 'filename' | 'alt'>): Buffer {
  const lines = [filename, alt].map((text): SearchLine => [{ text, role: 'body' }]);
  // Both are so short that the vector has no gaps.
  return searchDocument(partitionOf(tenantId), lines).vector;
}

/** Returns a search over a tenant's media; undefined if it is blank. Its vector alone decides. */
export function mediaMatch(tenantId: string, search: string): SearchMatch | undefined {
  const query = readSearch(search);
  return query && searchMatch(partitionOf(tenantId), query);
}
