import { fold } from '../fields/text.js';
import { searchQuery } from '../search/search-query.js';
import { searchVector } from '../search/search-vector.js';
import { partitionOf } from '../search/words.js';
import type { MediaRow } from './media.sql.js';

/**
 * Returns the search vector of a file: the words of its name, also those joined by signs (`summer_2024.jpg`), and of its alternative text.
 */
export function mediaVector(tenantId: string, { filename, alt }: Pick<MediaRow, 'filename' | 'alt'>): string {
  return searchVector(partitionOf(tenantId), `${fold(filename)}\n${fold(alt)}`);
}

/** Returns the tsquery of a search over a tenant's media; undefined if the search is blank. */
export function mediaQuery(tenantId: string, search: string): string | undefined {
  return searchQuery(partitionOf(tenantId), fold(search));
}
