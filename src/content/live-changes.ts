import { scopesOf } from '../access/access.js';
import { lacksScope } from '../access/scope-problems.js';
import { Problem } from '../errors/problem.js';
import type { Caller } from '../http/caller.js';
import type { EntryStatus } from './entries/entry.entity.js';

/** What decides what somebody may change: the rights of an API key, or of the service itself. */
export type LiveRights = Pick<Caller, 'scopes' | 'writeTypes' | 'draftsOnly' | 'locales'>;

/** The status of an entry before and after a change; undefined if it does not exist then. */
export interface EntryChange {
  before?: EntryStatus;
  after?: EntryStatus;
}

/**
 * Whether they may change what is live in the content type (UUID). Who may not (`content:draft`) changes drafts, and entries that are not
 * published.
 */
export function mayChangeLive({ scopes, writeTypes, draftsOnly }: LiveRights, typeId: string): boolean {
  if (draftsOnly) return false;
  return scopesOf('content', 'write').some((scope) => scopes.has(scope)) || writeTypes?.has(typeId) === true;
}

/**
 * Throws a 403 unless they may make this change of an entry. The statement that makes the change must do nothing if the entry has another version than
 * the one with the status `before`: otherwise somebody could publish it between this check and the change.
 */
export function assertMayChangeEntry(rights: LiveRights, typeId: string, { before, after }: EntryChange): void {
  if (before !== 'published' && after !== 'published') return;
  if (mayChangeLive(rights, typeId)) return;
  throw lacksWrite(rights, before === 'published' ? 'The entry is published.' : 'Publishing changes what is live.');
}

/** The 403 of a deletion that would remove references to the entry from published entries. */
export function clearsLive(rights: LiveRights): Problem {
  return lacksWrite(rights, 'Published entries refer to the entry, and its deletion would change them.');
}

function lacksWrite({ scopes }: LiveRights, reason: string): Problem {
  return new Problem('forbidden', `${reason} ${lacksScope(scopesOf('content', 'write'), scopes).detail}`);
}
