import type { LetterKind } from './letter.entity.js';

interface Addressed<Kind extends LetterKind> {
  /** A UUID that no other letter has. It names the email: a receiver can detect a duplicate by it. */
  id: string;
  kind: Kind;
  /** The name may be empty. */
  to: { name: string; address: string };
}

/** Invites somebody to a tenant. It is the same for a person who has an account. */
interface Invitation extends Addressed<'invitation'> {
  /** The name of the tenant. */
  tenant: string;
  /** The name of the person who invites. Undefined if the configuration does. */
  inviter?: string;
  /** Contains the token, in its fragment. */
  url: string;
  /** ISO 8601. The letter is not sent after this time. */
  expiresAt: string;
}

/** Lets somebody choose a new password. */
interface PasswordReset extends Addressed<'reset'> {
  /** Contains the token, in its fragment. */
  url: string;
  /** ISO 8601. The letter is not sent after this time. */
  expiresAt: string;
}

/** Asks for the review of a draft. */
export interface ReviewRequest extends Addressed<'review'> {
  /** The name of the tenant. */
  tenant: string;
  /** The name of the person or the key that asks. */
  by: string;
  /** What the entry is called: its title, or its ID. */
  title: string;
  /** The name of the content type. */
  contentType: string;
  note?: string;
  /** The entry in the console. */
  url: string;
  /** What it depends on until it is sent: UUIDs, and the time at which the review was asked for. */
  about: { typeId: string; entryId: string; at: string; memberId: string };
}

/** An email to a person. */
export type Letter = Invitation | PasswordReset | ReviewRequest;
