import leven from 'leven';

/** A variable that is set but not known, and the known one with the most similar name. */
export interface UnknownVariable {
  readonly name: string;
  readonly nearest: string;
}

/** A prefix that other services have and Trivet's variables do not. */
const PREFIX = /^TRIVET_/;
/** Read by `npm run demo` and by the tests, not by the service. */
const OF_SCRIPTS = /^TRIVET_(URL|TENANT|KEY|TEST_\w+)$/;
/** More warnings than these would hide the others. */
const MAX_FOUND = 10;

/**
 * Returns the variables that look like misspelt variables of the service. `known` contains the names of all variables. The name of a
 * variable that is set correctly is not suggested.
 */
export function unknownVariables(
  env: Readonly<Record<string, string | undefined>>,
  known: ReadonlySet<string>,
): UnknownVariable[] {
  const isSet = (name: string) => Boolean(env[name]?.trim());
  const candidates = [...known].filter((name) => !isSet(name));
  return Object.keys(env)
    .filter((name) => isSet(name) && !known.has(name) && !OF_SCRIPTS.test(name))
    .flatMap((name) => {
      const nearest = nearestOf(name, candidates);
      return nearest ? [{ name, nearest }] : [];
    })
    .slice(0, MAX_FOUND);
}

export function describeUnknown({ name, nearest }: UnknownVariable): string {
  return `${name} is not a variable of Trivet and has no effect. Did you mean ${nearest}?`;
}

function nearestOf(name: string, candidates: readonly string[]): string | undefined {
  const guess = name.toUpperCase().replace(PREFIX, '');
  const similar = candidates
    .map((candidate) => ({ candidate, errors: errorsBetween(guess, candidate) }))
    .filter(({ candidate, errors }) => errors <= allowedErrors(candidate));
  return similar.sort((a, b) => a.errors - b.errors)[0]?.candidate;
}

/** Counts the letters that differ. Two letters that changed places are the most frequent mistake, and count as half an error. */
function errorsBetween(guess: string, candidate: string): number {
  const errors = leven(guess, candidate);
  return errors === 2 && sorted(guess) === sorted(candidate) ? 0.5 : errors;
}

function sorted(text: string): string {
  return [...text].sort().join('');
}

/** Short names resemble too many others: HOST differs from HOSTS, POST and LHOST by one letter. */
function allowedErrors({ length }: string): number {
  if (length < 6) return 0.5;
  return length < 9 ? 1 : 2;
}
