import { fold } from '../fields/formats/text.js';

export const SLUG_PATTERN = /^[a-z0-9]+(-[a-z0-9]+)*$/;
export const MAX_SLUG_LENGTH = 100;

/** Converts `Über uns` to `uber-uns`. Returns at most 100 characters, or `fallback` if nothing is left. */
export function slugify(name: string, fallback: string): string {
  const slug = fold(name)
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG_LENGTH + 1)
    .replace(/^-/, '')
    .slice(0, MAX_SLUG_LENGTH)
    .replace(/-$/, '');
  return slug || fallback;
}

/** Returns the slug with the number appended. Cuts the slug so that both fit. */
export function numberedSlug(slug: string, number: number): string {
  const suffix = `-${number}`;
  return slug.slice(0, MAX_SLUG_LENGTH - suffix.length).replace(/-$/, '') + suffix;
}
