import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { canonicalEmail, withoutTag } from '../../fields/formats/email.js';
import { MailLimits } from '../mail-limits.js';

/** Invitations of a tenant to one address within an hour, and to all addresses on a day. */
const INVITATIONS_AN_HOUR = 3;
const INVITATIONS_A_DAY = 1_000;
/** Password resets for an address within an hour, over all tenants. */
const RESETS_AN_HOUR = 3;
/** Requests for reviews of a tenant to one address within an hour. A draft could be marked as ready any number of times. */
const REVIEWS_AN_HOUR = 20;

/** Counts the invitations of a tenant among the numbers of its forms. */
const INVITATIONS = '00000000-0000-0000-0000-000000000001';

/**
 * Attempts to send an invitation to a mailbox within an hour, over all tenants. It is far above what one tenant may send, so a tenant whose
 * invitation is delayed does not learn that another tenant invites the address.
 */
const SERVICE_INVITATIONS_AN_HOUR = 10;

const HOUR_S = 3_600;
const DAY_S = 86_400;

/** Why an invitation is refused. */
interface InvitationRefusal {
  /** A sentence. */
  reason: string;
  /** Seconds until it may be sent, at most. */
  retryAfter: number;
}

/** The limits of letters. Ask them before the transaction that writes the letter: they use connections of their own. */
@Injectable()
export class LetterLimits {
  constructor(
    private readonly limits: MailLimits,
    private readonly database: Database,
  ) {}

  /**
   * Counts an invitation. Returns why the tenant may not send it; undefined if it may. It depends on no other tenant, so that a tenant does not
   * learn whether others invite the address.
   */
  async refusalOfInvitation(tenantId: string, address: string): Promise<InvitationRefusal | undefined> {
    const key = ['invitation', tenantId, canonicalEmail(address)];
    if (!(await this.limits.countHour(key, INVITATIONS_AN_HOUR))) {
      return { reason: 'The address was sent three invitations within the last hour.', retryAfter: HOUR_S };
    }
    if (!(await this.limits.countDay(this.database, tenantId, INVITATIONS, INVITATIONS_A_DAY))) {
      const retryAfter = DAY_S - (Math.floor(Date.now() / 1_000) % DAY_S);
      return { reason: 'The tenant has sent the invitations that it may send on one day.', retryAfter };
    }
    return undefined;
  }

  /** Counts a password reset. Returns whether it may be sent. */
  async mayReset(address: string): Promise<boolean> {
    return this.limits.countHour(['reset', canonicalEmail(address)], RESETS_AN_HOUR);
  }

  /** Counts a request for a review. Returns whether the tenant may send it. */
  async mayRequestReview(tenantId: string, address: string): Promise<boolean> {
    return this.limits.countHour(['review', tenantId, canonicalEmail(address)], REVIEWS_AN_HOUR);
  }

  /** Counts an attempt over all tenants. Returns whether the mailbox has reached its limit, so that this invitation must wait. */
  async mustWait(address: string): Promise<boolean> {
    return !(await this.limits.countHour(['invitation', withoutTag(address)], SERVICE_INVITATIONS_AN_HOUR));
  }
}
