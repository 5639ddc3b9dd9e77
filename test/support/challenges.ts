import { createChallenge, type Challenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { parseId } from '../../src/ids/type-id.js';
import { SpamTokens } from '../../src/forms/spam/spam-tokens.js';
import type { TestApp } from './app.js';

/** A form, by its public ID. */
interface OfForm {
  tenantId: string;
  formId: string;
}

/** Solves a challenge as a visitor does, and returns `_altcha`. */
export async function solve(challenge: Challenge): Promise<string> {
  const solution = await solveChallenge({ challenge, deriveKey });
  return proofOf(challenge, solution);
}

/** Returns `_altcha` for a challenge of the form that costs no work, and is signed as those of the service. */
export async function cheapProof(
  app: TestApp,
  { tenantId, formId }: OfForm,
  expiresAt = new Date(Date.now() + 600_000),
): Promise<string> {
  const [secret = ''] = tokensOf(app).secretsOf({ tenantId, formId: parseId('frm', formId) ?? '' });
  const challenge = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: 1,
    counter: 0,
    deriveKey,
    expiresAt,
    hmacSignatureSecret: secret,
    hmacKeySignatureSecret: `${secret} key`,
  });
  return solve(challenge);
}

/** Returns `_t` as the form had it some seconds ago. */
export function timeToken(app: TestApp, { tenantId, formId }: OfForm, secondsAgo: number): string {
  const form = { tenantId, formId: parseId('frm', formId) ?? '' };
  return tokensOf(app).sign(form, Date.now() - secondsAgo * 1_000);
}

export function proofOf(challenge: unknown, solution: unknown): string {
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}

function tokensOf(app: TestApp): SpamTokens {
  return new SpamTokens(app.config.encryptionKeys);
}
