import type { Session } from '../api/sessions';

/** Who is signed in, as one text. The id of a session differs each time, and so may that of a person after a change of memberships. */
export function identityOf({ user, key }: Session): string {
  return user ? `user ${user.email.toLowerCase()}` : `key ${key?.id ?? ''}`;
}
