import { Injectable } from '@nestjs/common';
import { recordChanges } from '../../audit/record-changes.js';
import { Database } from '../../database/database.js';
import { Problem } from '../../errors/problem.js';
import type { Caller } from '../../http/caller.js';
import { PublicUrl } from '../../http/public-url.js';
import { issueLink, LINK_VALID_S } from './sign-in-link.js';

/** Makes sign-in links for keys. */
@Injectable()
export class SignInLinks {
  constructor(
    private readonly database: Database,
    private readonly urls: PublicUrl,
  ) {}

  /** Throws a 403 for a session, which could otherwise begin others for ever. */
  async create(caller: Caller): Promise<{ url: string; expires_at: string }> {
    const { tenantId, credentialId, sessionId } = caller;
    if (sessionId !== undefined) throw new Problem('forbidden', 'Only an API key can make a sign-in link.');
    const expiresAt = new Date(Date.now() + LINK_VALID_S * 1_000);
    const url = await this.database.transaction(tenantId, async (transaction) => {
      const resource = { type: 'key', id: credentialId };
      await recordChanges(transaction, tenantId, caller, [{ action: 'sign_in_link_created', resource }]);
      return issueLink(transaction, { tenantId, keyId: credentialId, consoleUrl: this.urls.console });
    });
    return { url, expires_at: expiresAt.toISOString() };
  }
}
