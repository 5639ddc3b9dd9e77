import type { ContentType } from '../../api/content-types';
import { covers, mayFor, maySome } from '../../session/rights';
import type { Right } from './scope-words';

/** What is chosen of a right: all content types, or some of them by their IDs. Undefined: nothing. */
type Choice = 'all' | readonly string[] | undefined;

/** What the scopes hold of a right. A type that the list does not have is not among the choices, and stays as it is. */
export function choiceOf(scopes: readonly string[], scope: string, types: readonly ContentType[]): Choice {
  if (scopes.includes(scope)) return 'all';
  const ids = types.filter((type) => namesOf(scope, type).some((name) => scopes.includes(name))).map(({ id }) => id);
  return ids.length === 0 ? undefined : ids;
}

/** Returns the scopes with another choice of a right, in the place of the former one. */
export function withChoice(
  scopes: readonly string[],
  scope: string,
  choice: Choice,
  types: readonly ContentType[],
): string[] {
  const former = new Set([scope, ...types.flatMap((type) => namesOf(scope, type))]);
  const others = scopes.filter((each) => !former.has(each));
  if (choice === undefined) return others;
  return [...others, ...(choice === 'all' ? [scope] : choice.map((id) => `${scope}@${id}`))];
}

/** What somebody with the scopes `own` may give of a right: all content types, some of them, or nothing. */
export function givenOf(own: readonly string[], { scope, isNarrowed }: Right, types: readonly ContentType[]): Choice {
  if (covers(own, scope)) return 'all';
  if (isNarrowed !== true || !maySome({ scopes: own }, scope)) return undefined;
  return types.filter((type) => mayFor({ scopes: own }, scope, type)).map(({ id }) => id);
}

function namesOf(scope: string, { id, slug }: ContentType): string[] {
  return [`${scope}@${id}`, `${scope}@${slug}`];
}
