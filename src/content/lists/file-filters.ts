import { MEDIA, splitMediaUrl } from '../../fields/formats/media-url.js';
import type { Filter } from '../../lists/filters/filters.js';

/** The present base URL, and whether a base is that of URLs of files. */
export interface FileBase {
  readonly base: string;
  isCurrent(base: string): boolean;
}

/**
 * Returns the filters of which one must hold for a media field. Clients filter by the URLs that they see, but the index has the paths of files
 * (`fields/formats/media-url.ts`). Part of a URL may be found in the base, in the path, or across both.
 */
export function fileFilters(filter: Filter, files: FileBase): Filter[] {
  const { operator, values } = filter;
  const [value = ''] = values;
  if (operator === 'exists') return [filter];
  if (operator !== 'contains' && operator !== 'starts_with') {
    return [{ ...filter, values: values.map((url) => pathIn(url, files)) }];
  }
  const starts = pathStarts(value.toLowerCase(), files.base.toLowerCase(), operator === 'contains');
  const others = starts.map((start): Filter => ({ ...filter, operator: 'starts_with', values: [start] }));
  return [filter, ...others];
}

/** Returns the path of a file whose URL this is, and any other URL as it is. */
function pathIn(url: string, files: FileBase): string {
  const split = splitMediaUrl(url);
  return split && files.isCurrent(split.base) ? split.path : url;
}

/** Returns what the path of a file begins with if its URL begins with the text, or contains it (`isAnywhere`) in the base at least in part. */
function pathStarts(text: string, base: string, isAnywhere: boolean): string[] {
  if (text === '') return [];
  if (isAnywhere ? base.includes(text) : base.startsWith(text)) return [MEDIA];
  const starts: string[] = [];
  for (let from = 1; from < text.length && from <= base.length; from++) {
    const [before, after] = [text.slice(0, from), text.slice(from)];
    const fits = isAnywhere ? base.endsWith(before) : base === before;
    if (fits && (after.startsWith(MEDIA) || MEDIA.startsWith(after))) starts.push(after);
  }
  return starts;
}
