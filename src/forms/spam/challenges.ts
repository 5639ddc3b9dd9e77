import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Challenge, createChallenge, randomInt, type Solution, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { Config } from '../../config/config.js';
import { isRecord } from '../../fields/record.js';
import { SpamTokens, type TokenForm } from './spam-tokens.js';

/**
 * The work of a visitor: 200 to 600 derivations of a key, each of 5,000 iterations. It takes about half a second on a computer of 2026. The
 * number of derivations has a limit, so that no visitor waits much longer.
 */
const ALGORITHM = 'PBKDF2/SHA-256';
const ITERATIONS = 5_000;
const MIN_DERIVATIONS = 200;
const MAX_DERIVATIONS = 600;
const VALID_MS = 10 * 60_000;
/** In characters. A proof has about 800. */
const MAX_PROOF = 4_096;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/** A proof of work, which may be used once. */
export interface ValidProof {
  /** A hash of the challenge, as a UUID. */
  id: string;
  /** ISO 8601. */
  expiresAt: string;
}

/** Makes and verifies proofs of work in the format of ALTCHA 2, and the time tokens of forms. */
@Injectable()
export class Challenges {
  private readonly tokens: SpamTokens;

  constructor({ encryptionKeys }: Config) {
    this.tokens = new SpamTokens(encryptionKeys);
  }

  /** Returns a challenge for the form, which is valid for ten minutes. */
  async create(form: TokenForm): Promise<Challenge> {
    const [secret = ''] = this.tokens.secretsOf(form);
    return createChallenge({
      algorithm: ALGORITHM,
      cost: ITERATIONS,
      counter: randomInt(MAX_DERIVATIONS, MIN_DERIVATIONS),
      deriveKey,
      expiresAt: new Date(Date.now() + VALID_MS),
      hmacSignatureSecret: secret,
      hmacKeySignatureSecret: keySecret(secret),
    });
  }

  /**
   * Reads `_altcha`: base64 of the JSON `{challenge, solution}`. Returns undefined if it is not the solution of a challenge of the form that
   * has not expired. It costs a few hashes, because the challenge contains the signature of its solution.
   */
  async verify(form: TokenForm, proof: unknown): Promise<ValidProof | undefined> {
    const parsed = parseProof(proof);
    if (!parsed) return undefined;
    const { challenge, solution } = parsed;
    for (const secret of this.tokens.secretsOf(form)) {
      const { verified } = await verifySolution({
        challenge,
        solution,
        deriveKey,
        hmacSignatureSecret: secret,
        hmacKeySignatureSecret: keySecret(secret),
      });
      // A verified challenge is one that `create` returned.
      const { expiresAt } = challenge.parameters;
      if (verified && expiresAt) return { id: idOf(challenge), expiresAt: new Date(expiresAt * 1000).toISOString() };
    }
    return undefined;
  }

  /** Returns `_t`: a signed token of this moment, for a page with the form. */
  timeToken(form: TokenForm): string {
    return this.tokens.sign(form, Date.now());
  }

  /** Returns the age of `_t` in milliseconds; undefined if it is missing or not valid. */
  ageOf(form: TokenForm, token: unknown): number | undefined {
    return this.tokens.ageOf(form, token, Date.now());
  }
}

function keySecret(secret: string): string {
  return `${secret} key`;
}

function parseProof(proof: unknown): { challenge: Challenge; solution: Solution } | undefined {
  if (typeof proof !== 'string' || proof.length > MAX_PROOF || !BASE64.test(proof)) return undefined;
  const parsed = parsedOf(Buffer.from(proof, 'base64').toString('utf8'));
  if (!isRecord(parsed)) return undefined;
  const { challenge, solution } = parsed;
  if (!isRecord(challenge) || !isRecord(challenge['parameters']) || typeof challenge['signature'] !== 'string') {
    return undefined;
  }
  if (!isRecord(solution)) return undefined;
  return { challenge: challenge as unknown as Challenge, solution: solution as unknown as Solution };
}

function parsedOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function idOf({ signature = '' }: Challenge): string {
  const hex = createHash('sha256').update(signature).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}
