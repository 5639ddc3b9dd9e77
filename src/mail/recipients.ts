import { createHash } from 'node:crypto';
import { canonicalEmail } from '../fields/formats/email.js';
import type { NotifyRule } from '../forms/settings/form-settings.js';

/** Maximum number of emails for a submission. */
const MAX_MAILS = 20;

/** An email that a submission needs. */
export interface Wanted {
  recipient: string;
  /** The subject of a rule, with its placeholders. Null: the common subject. */
  subject: string | null;
}

/**
 * Returns one email for each distinct address, in the order of the settings, of which the first 20 are sent. Its subject is that of the
 * first rule with the address that has a subject. The spelling of addresses does not matter.
 */
export function wantedMails(notifyEmail: string | null, rules: readonly NotifyRule[]): Wanted[] {
  const wanted = new Map<string, Wanted>();
  const want = (recipient: string, subject: string | null) => {
    const address = canonicalEmail(recipient);
    const known = wanted.get(address);
    if (!known) wanted.set(address, { recipient, subject });
    else known.subject ??= subject;
  };
  if (notifyEmail !== null) want(notifyEmail, null);
  for (const { to, subject = null } of rules) for (const recipient of to) want(recipient, subject);
  return [...wanted.values()];
}

/**
 * Returns the rules with each recipient as `notifyEmail` or the first rule with it spells the address, so that the limits of an address hold
 * whichever rules apply to a submission.
 */
export function spelledAlike(notifyEmail: string | null, rules: readonly NotifyRule[]): NotifyRule[] {
  const spellings = new Map(notifyEmail === null ? [] : [[canonicalEmail(notifyEmail), notifyEmail]]);
  const firstSpelling = (recipient: string) => {
    const address = canonicalEmail(recipient);
    const spelling = spellings.get(address) ?? recipient;
    spellings.set(address, spelling);
    return spelling;
  };
  return rules.map((rule) => ({ ...rule, to: rule.to.map(firstSpelling) }));
}

/** Returns the emails that are sent, and those beyond the limit. */
export function withinLimit(wanted: readonly Wanted[], { hasAutoresponder }: { hasAutoresponder: boolean }) {
  const limit = MAX_MAILS - (hasAutoresponder ? 1 : 0);
  return { sent: wanted.slice(0, limit), skipped: wanted.slice(limit) };
}

/**
 * Returns the UUID of a further email of a submission, the same whenever it is asked for. It begins as the submission's UUID does, so that
 * the emails of a submission are as old as the submission.
 */
export function furtherMailId(submissionId: string, recipient: string): string {
  const hash = createHash('sha256')
    .update(`${submissionId} ${canonicalEmail(recipient)}`)
    .digest('hex');
  return `${submissionId.slice(0, 19)}8${hash.slice(0, 3)}-${hash.slice(3, 15)}`;
}
