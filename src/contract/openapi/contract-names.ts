/** Endings of the names of components that a type or form has. */
export const ENDINGS = [
  'Entry',
  'EntryPage',
  'EntryResponse',
  'CreateEntry',
  'CreatedEntry',
  'UpdateEntry',
  'UpdatedEntry',
  'Draft',
  'SaveDraft',
  'Fields',
  'NewFields',
  'ChangedFields',
  'Conditions',
  'Submission',
] as const;
export type Ending = (typeof ENDINGS)[number];

/** What a slug may end with so that it could be read as a part of an ending: `post-create` with `Entry`, and `post` with `CreateEntry`. */
const AMBIGUOUS = ENDINGS.flatMap((ending) =>
  ENDINGS.filter((other) => other !== ending && ending.endsWith(other)).map((other) => ending.slice(0, -other.length)),
);

/**
 * The name of a slug in the names of operations and components: `BlogPost` for `blog-post`. Different slugs have different names, which do not depend
 * on the other slugs of the tenant, and no name of a component is one of `taken`.
 */
export function nameOfSlug(slug: string, taken: ReadonlySet<string>): string {
  const name = slug.split('-').map(capitalized).join('');
  const isAmbiguous =
    AMBIGUOUS.some((part) => name.endsWith(part)) || ENDINGS.some((ending) => taken.has(name + ending));
  // No slug has such a name: `_` stands only before a digit.
  return isAmbiguous ? `${name}_` : name;
}

/** `a-1` and `a1` are different slugs. */
function capitalized(word: string): string {
  return /^\d/.test(word) ? `_${word}` : word.charAt(0).toUpperCase() + word.slice(1);
}
