import { formatId } from '../../ids/type-id.js';
import { dropTokens, issueToken, type ServiceExecutor } from '../one-time-tokens.js';

/** Seconds for which an invitation is good. */
export const INVITATION_S = 7 * 86_400;

/** Returns a new token, which replaces the earlier one of the same membership. */
export async function issueInvitation(executor: ServiceExecutor, tenantId: string, memberId: string): Promise<string> {
  const subject = invitationOf(tenantId, memberId);
  await dropTokens(executor, 'invitation', subject);
  return issueToken(executor, { purpose: 'invitation', subject, seconds: INVITATION_S });
}

/** What the token of an invitation is for. */
export function invitationOf(tenantId: string, memberId: string): string {
  return `${tenantId} ${formatId('usr', memberId)}`;
}

/** The token is in the fragment, which browsers send to nobody. */
export function invitationLink(consoleUrl: string, token: string): string {
  return `${consoleUrl}/console/invitation#${token}`;
}
