import { fold } from '../fields/text.js';

export const SLUG_PATTERN = /^[a-z0-9]+(-[a-z0-9]+)*$/;
export const MAX_SLUG_LENGTH = 100;

/** `Über uns` to `uber-uns`; `fallback` when nothing is left. At most 100 characters. */
export function slugify(name: string, fallback: string): string {
  const slug = fold(name)
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG_LENGTH + 1)
    .replace(/^-/, '')
    .slice(0, MAX_SLUG_LENGTH)
    .replace(/-$/, '');
  return slug || fallback;
}

/** The slug with the lowest number that is not taken: `about`, `about-2`, `about-3` … */
export function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  if (!taken.has(slug)) return slug;
  for (let number = 2; ; number++) {
    const candidate = numbered(slug, number);
    if (!taken.has(candidate)) return candidate;
  }
}

/** What every numbered form of the slug begins with, whatever the number's length. */
export function slugStem(slug: string): string {
  return slug.slice(0, MAX_SLUG_LENGTH - 12);
}

function numbered(slug: string, number: number): string {
  const suffix = `-${number}`;
  return slug.slice(0, MAX_SLUG_LENGTH - suffix.length).replace(/-$/, '') + suffix;
}
