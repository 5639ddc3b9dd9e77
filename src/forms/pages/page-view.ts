import type { Request } from 'express';
import { Problem } from '../../errors/problem.js';
import type { Parameter } from '../../http/parameters.js';
import type { Query } from '../../http/query.js';
import type { Language } from './texts/page-texts.js';
import { languageOf } from './texts/words.js';

export const EMBED: Parameter = {
  name: 'embed',
  schema: { type: 'string', enum: ['1'] },
  description:
    '`1`: pages of the `allowed_origins` of the tenant, or of any origin if there are none, may show the answer in a frame.',
};

export const THEME: Parameter = {
  name: 'theme',
  schema: { type: 'string', enum: ['light', 'dark'] },
  description: 'The colours of the page that answers. Without it, they are those that the visitor prefers.',
};

/** How a visitor sees a page. */
export interface PageView {
  /** Whether the page is shown in a frame. */
  isEmbedded: boolean;
  /** Undefined: as the visitor prefers. */
  theme: 'light' | 'dark' | undefined;
  /** The language that the visitor prefers. */
  language: Language;
}

/** Throws a 400 for a wrong value of `embed` or `theme`. */
export function checkView({ embed, theme }: Query): void {
  if (embed !== undefined && embed !== '1') throw Problem.parameter('embed', 'embed must be 1.');
  if (theme !== undefined && !isTheme(theme)) throw Problem.parameter('theme', 'theme must be light or dark.');
}

/** Reads the view of a request, and tells caches that the response depends on the language. Wrong values count as missing. */
export function viewOf(request: Request): PageView {
  const { embed, theme } = request.query;
  request.res?.vary('Accept-Language');
  return {
    isEmbedded: embed === '1',
    theme: isTheme(theme) ? theme : undefined,
    language: languageOf(request),
  };
}

/** Returns the query of an address that shows a page in the same view. */
export function queryOf({ isEmbedded, theme }: PageView): string {
  const query = [...(isEmbedded ? ['embed=1'] : []), ...(theme === undefined ? [] : [`theme=${theme}`])];
  return query.length === 0 ? '' : `?${query.join('&')}`;
}

function isTheme(theme: unknown): theme is 'light' | 'dark' {
  return theme === 'light' || theme === 'dark';
}
