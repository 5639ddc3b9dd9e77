import type { Transaction } from '../../database/transaction.js';
import { Problem } from '../../errors/problem.js';
import { newUuid } from '../../ids/type-id.js';
import { useChallenge } from '../one-time-tokens.js';
import type { UsedChallenge } from './passkey-challenges.js';
import type { NewPasskey } from './passkeys.js';
import { INSERT_PASSKEY } from './passkeys.sql.js';

/** A passkey that was checked, and not stored yet. */
export interface CheckedPasskey {
  passkey: NewPasskey;
  challenge: UsedChallenge;
  /** What the person calls it. */
  name: string;
}

/** Returns the 16 bytes of the UUID by which authenticators know the person. */
export function userHandleOf(personId: string): Uint8Array {
  return Buffer.from(personId.replaceAll('-', ''), 'hex');
}

/**
 * Stores the passkey of a person, who is locked or new. Throws a 409 if it is stored already, be it of somebody else, and a 422 if its challenge
 * was answered before.
 */
export async function storePasskey(
  transaction: Transaction,
  personId: string,
  { passkey, challenge, name }: CheckedPasskey,
): Promise<string> {
  const { credentialId, counter, transports } = passkey;
  const publicKey = Buffer.from(passkey.publicKey).toString('base64');
  const row = { id: newUuid(), personId, credentialId, publicKey, counter, transports, name };
  const [stored] = await transaction.withoutTenants(INSERT_PASSKEY, row);
  if (!stored) throw new Problem('conflict', 'This passkey is stored already.');
  if (!(await useChallenge(transaction, challenge.hash.toString('base64'), challenge.expiresAt))) throw usedBefore();
  return stored.id;
}

function usedBefore(): Problem {
  const message = 'The options for this passkey were used before. Ask for others.';
  return Problem.invalid([{ path: 'passkey', code: 'format', message }]);
}
