/** Names that fields of content types cannot have. */
const RESERVED = new Set([
  'id',
  'content_type_id',
  'status',
  'created_at',
  'updated_at',
  'constructor',
  'prototype',
  'block',
  'and',
  'or',
  'not',
]);

const MAX_NAME = 64;
const MAX_SLUG = 100;

/** Returns the slug of a content type for what a source calls it: `blogPost` becomes `blog-post`. */
export function slugOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG)
    .replace(/^-+|-+$/g, '');
  return plain || 'content-type';
}

/** Returns a name for a field that is not taken yet. Names that are allowed stay as they are. */
export function fieldNameOf(name: string, taken: Iterable<string> = []): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_]+/g, '_')
    .replace(/^[^A-Za-z]+/, '')
    .slice(0, MAX_NAME - 4);
  const base = plain === '' ? 'field' : RESERVED.has(plain) ? `${plain}_` : plain;
  return unlike(base, taken, '_');
}

/** Returns a slug that is not taken yet. */
export function freeSlug(name: string, taken: Iterable<string>): string {
  return unlike(slugOf(name), taken, '-');
}

/** `post_tag` becomes `Post tag`. */
export function labelOf(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[-_]+/g, ' ')
    .trim()
    .toLowerCase();
  return words === '' ? name : words[0]!.toUpperCase() + words.slice(1);
}

function unlike(base: string, taken: Iterable<string>, separator: string): string {
  const others = new Set(taken);
  let name = base;
  for (let number = 2; others.has(name); number++) name = `${base}${separator}${number}`;
  return name;
}

/** Returns the canonical form of a language tag; undefined for a text that is not one. */
export function localeCodeOf(code: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(code.replaceAll('_', '-'))[0];
  } catch {
    return undefined;
  }
}
