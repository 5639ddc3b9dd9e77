import { Problem } from '../../errors/problem.js';
import { readFlag } from '../../http/parameters.js';
import type { Query } from '../../http/query.js';
import { ALT_FILTER, MAX_SEARCH, MIME_TYPE_FILTER } from '../media.parameters.js';

/** The files that a list is limited to. */
export interface MediaFilters {
  /** In lower case. `image/*` means every image. */
  mimeType?: string;
  /** Whether the file has an alternative text. */
  hasAlt?: boolean;
  /** As the client sent it. */
  search?: string;
}

/** Reads the filters of a media list from the query string. Throws a 400 if one is malformed. */
export function readMediaFilters(query: Query): MediaFilters {
  return { mimeType: readMimeType(query), hasAlt: readFlag(query, ALT_FILTER), search: readSearch(query) };
}

function readMimeType(query: Query): string | undefined {
  const value = query[MIME_TYPE_FILTER] as string | undefined;
  if (value === undefined) return undefined;
  const mimeType = value.toLowerCase();
  if (!/^[a-z]+\/(?:\*|[a-z0-9][a-z0-9.+-]*)$/.test(mimeType)) {
    throw Problem.parameter(MIME_TYPE_FILTER, `${MIME_TYPE_FILTER} must be a media type such as image/png or image/*.`);
  }
  return mimeType;
}

function readSearch({ search }: Query): string | undefined {
  if (search === undefined) return undefined;
  if (search.length > MAX_SEARCH)
    throw Problem.parameter('search', `search must have at most ${MAX_SEARCH} characters.`);
  return search as string;
}
