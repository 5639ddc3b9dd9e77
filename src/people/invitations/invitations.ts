import { Injectable } from '@nestjs/common';
import { tooManyRequests } from '../../access/rate-limits.js';
import { Config } from '../../config/config.js';
import type { TenantConfig } from '../../config/tenants-config.js';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import { Problem } from '../../errors/problem.js';
import { PublicUrl } from '../../http/public-url.js';
import { newUuid, parseId } from '../../ids/type-id.js';
import { LetterLimits } from '../../mail/letters/letter-limits.js';
import { Letters } from '../../mail/letters/letters.js';
import { FIND_MEMBER, type MemberRow } from '../members/members.sql.js';
import { dropTokens, findToken } from '../one-time-tokens.js';
import { invitationLink, invitationOf, INVITATION_S, issueInvitation } from './invitation-token.js';

/** Somebody who is invited. */
interface Invited {
  /** UUID of the membership. */
  id: string;
  email: string;
  name: string;
}

/** An invitation that was not accepted yet. */
export interface OpenInvitation {
  tenant: TenantConfig;
  member: MemberRow;
}

/** Sends invitations, and finds them by their tokens. */
@Injectable()
export class Invitations {
  private readonly tenants: ReadonlyMap<string, TenantConfig>;

  constructor(
    { tenants }: Config,
    private readonly database: Database,
    private readonly letters: Letters,
    private readonly limits: LetterLimits,
    private readonly publicUrl: PublicUrl,
  ) {
    this.tenants = new Map(tenants.map((tenant) => [tenant.id, tenant]));
  }

  /** Counts an invitation. Throws a 429 if the address or the tenant was sent enough. Before the transaction. */
  async assertMaySend(tenantId: string, email: string): Promise<void> {
    const refusal = await this.limits.refusalOfInvitation(tenantId, email);
    if (refusal) throw tooManyRequests(refusal.retryAfter, refusal.reason);
  }

  /** Sends a letter with a new token, in place of an earlier one. `inviter` is the name of the person who invites. */
  async send(transaction: Transaction, tenantId: string, to: Invited, inviter: string | undefined): Promise<void> {
    await this.letters.cancelTo(transaction, tenantId, to.email);
    const token = await issueInvitation(transaction, tenantId, to.id);
    await this.letters.write(transaction, tenantId, {
      id: newUuid(),
      kind: 'invitation',
      to: { name: to.name, address: to.email },
      tenant: this.tenants.get(tenantId)?.name ?? tenantId,
      ...(inviter !== undefined && { inviter }),
      url: invitationLink(this.publicUrl.console, token),
      expiresAt: new Date(Date.now() + INVITATION_S * 1000).toISOString(),
    });
  }

  /** Ends the invitation of somebody whose membership ends. */
  async end(transaction: Transaction, tenantId: string, { id, email }: Pick<Invited, 'id' | 'email'>): Promise<void> {
    await this.letters.cancelTo(transaction, tenantId, email);
    await dropTokens(transaction, 'invitation', invitationOf(tenantId, id));
  }

  /** Returns what the token invites to. Throws a 404 if it was used, has expired, or is another one. */
  async open(token: string): Promise<OpenInvitation> {
    const found = await findToken(this.database, 'invitation', token);
    const [tenantId = '', memberId = ''] = found?.subject.split(' ') ?? [];
    const tenant = this.tenants.get(tenantId);
    const id = parseId('usr', memberId);
    const [member] = tenant && id !== undefined ? await this.database.query(tenantId, FIND_MEMBER, { id }) : [];
    if (!tenant || !member || member.joinedAt !== null) throw noInvitation();
    return { tenant, member };
  }
}

export function noInvitation(): Problem {
  return Problem.notFound('invitation', 'It is good once, for seven days. Ask for another one.');
}
