import type { Author } from '../http/caller.js';

/** The names of people are not stored with what they did, so that they can be erased. The module `people` provides this. */
export abstract class MemberNames {
  /** Returns the names of the members, by their public IDs (`usr_…`). Without an ID, no query is made. */
  abstract of(tenantId: string, ids: readonly (string | undefined)[]): Promise<ReadonlyMap<string, string>>;
}

/** Stands for the name of a person who is no member any more. */
export const FORMER_MEMBER = 'former member' as const;

/** An author, as histories store it: a key by its name, a person by the ID. */
export interface StoredAuthor {
  by?: string;
  by_user?: string;
}

export function storedAuthor({ actorId, name }: Author): StoredAuthor {
  return isMember(actorId) ? { by_user: actorId } : { by: name };
}

export function isMember(actorId: string | undefined): actorId is string {
  return actorId?.startsWith('usr_') === true;
}
