import { closestMatch } from 'leven';

/** Names that are listed in a message. */
const MAX_LISTED = 30;
/** Longer names are not typing errors of a known one. */
const MAX_LENGTH = 100;

/** Returns ` Did you mean title?` with the known name that differs least, or an empty text if no known name is similar. */
export function suggestion(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`;
}

/** Same as `suggestion`, or else ` The properties are title, body.` */
export function suggestionOrList(name: string, known: readonly string[]): string {
  return suggestion(name, known) || (known.length === 0 ? '' : ` The properties are ${listed(known)}.`);
}

/** Returns the known name that differs least. At most a third of the letters may differ; case does not count. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length === 0 || name.length > MAX_LENGTH) return undefined;
  const lowerCase = known.map((one) => one.toLowerCase());
  const maxDistance = Math.min(3, Math.ceil(name.length / 3));
  const nearest = closestMatch(name.toLowerCase(), lowerCase, { maxDistance });
  return nearest === undefined ? undefined : known[lowerCase.indexOf(nearest)];
}

/** Returns the names as a list for a sentence: `a, b and 12 more`. */
export function listed(names: readonly string[]): string {
  const more = names.length - MAX_LISTED;
  return more > 0 ? `${names.slice(0, MAX_LISTED).join(', ')} and ${more} more` : names.join(', ');
}
