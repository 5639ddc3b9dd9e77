import { Injectable } from '@nestjs/common';
import { Problem } from '../errors/problem.js';
import type { Caller } from '../http/caller.js';
import { parseId } from '../ids/type-id.js';
import { ApiKeys } from './api-keys.js';
import { Sessions } from './sessions.js';

/** Requests that may last for hours, because the client decides how fast it sends or reads: imports and exports. */
@Injectable()
export class LastingRequests {
  constructor(
    private readonly keys: ApiKeys,
    private readonly sessions: Sessions,
  ) {}

  /**
   * Throws a 401 if the key or the session of the caller has ended since the request was admitted, a 403 if what it may do has changed, and a 503 if
   * that cannot be known. Takes no query for a key.
   */
  async assertAdmitted(caller: Caller): Promise<void> {
    const { tenantId, actorId = '', sessionId } = caller;
    const isOpen = sessionId === undefined || (await this.sessions.isOpen(parseId('ses', sessionId) ?? ''));
    const now = isOpen ? await this.find(tenantId, actorId) : undefined;
    if (!now) {
      if (sessionId !== undefined) throw Problem.notSignedIn('The session has ended. Sign in again.');
      const detail = 'The API key was revoked, or has expired, while the request was carried out.';
      throw new Problem('unauthorized', detail, undefined, { 'WWW-Authenticate': 'Bearer' });
    }
    if (!isSame(now.scopes, caller.scopes) || !isSame(now.locales, caller.locales)) {
      throw new Problem('forbidden', 'What you may do has changed while the request was carried out. Send it again.');
    }
  }

  private async find(tenantId: string, actorId: string): Promise<Caller | undefined> {
    const [keyId, memberId] = [parseId('key', actorId), parseId('usr', actorId)];
    if (keyId !== undefined) return (await this.keys.findById(tenantId, keyId))?.caller;
    return memberId === undefined ? undefined : (await this.sessions.findMember(tenantId, memberId))?.caller;
  }
}

function isSame(some: ReadonlySet<string> | undefined, others: ReadonlySet<string> | undefined): boolean {
  if (some === undefined || others === undefined) return some === others;
  return some.size === others.size && [...some].every((one) => others.has(one));
}
