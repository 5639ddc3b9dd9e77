/** What is known of a person, and so tried first. */
export interface KnownIdentity {
  email: string;
  name?: string;
}

/** Shorter names and local parts stand in many passwords by chance. */
const MIN_LENGTH = 4;

/** Returns what of the identity the password contains; undefined if nothing. Case, and what stands between the words of a name, do not count. */
export function heldIdentity(
  password: string,
  { email, name = '' }: KnownIdentity,
): 'email address' | 'name' | undefined {
  const form = lowered(password);
  const holds = (text: string) => [text, text.replace(/[^\p{L}\p{N}]/gu, '')].some((each) => contains(form, each));
  if (contains(form, lowered(email)) || holds(lowered(email.replace(/@.*$/, '')))) return 'email address';
  return holds(lowered(name)) ? 'name' : undefined;
}

function lowered(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}

function contains(form: string, text: string): boolean {
  return [...text].length >= MIN_LENGTH && form.includes(text);
}
