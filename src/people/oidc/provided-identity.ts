import { isEmail } from '../../fields/formats/email.js';
import { trimBlanks } from '../../validation/blank.js';
import { PERSON_NAME } from '../person-input.js';
import type { OidcIdentity } from './identity.js';

/** What of an identity may be stored and compared: claims are checked as what a person types. */
export interface ProvidedIdentity {
  issuer: string;
  subject: string;
  /** Verified by the provider, as it is written. Undefined for an address that it has not verified. */
  email?: string;
  /** A name to show. */
  name: string;
}

export function providedIdentity({ issuer, subject, email, emailVerified, name }: OidcIdentity): ProvidedIdentity {
  const address = emailVerified ? trimBlanks(email ?? '') : '';
  const verified = isEmail(address) ? address : undefined;
  const [shown = 'Unnamed'] = [name, verified?.split('@')[0]].flatMap((text) => nameIn(text));
  return { issuer, subject, ...(verified !== undefined && { email: verified }), name: shown };
}

function nameIn(text: string | undefined): string[] {
  const trimmed = trimBlanks(text ?? '');
  return PERSON_NAME.test(trimmed) ? [trimmed] : [];
}
