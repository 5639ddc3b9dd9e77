import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Challenge, createChallenge, randomInt } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { Config } from '../../config/config.js';
import { isRecord } from '../../fields/record.js';
import { hashedUuid } from '../../ids/hashed-uuid.js';
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
const HEX = /^(?:[0-9a-f]{2})+$/;

/** A proof of work, which may be used once. */
export interface ValidProof {
  /** A hash of the challenge, as a UUID. */
  id: string;
  /** ISO 8601. */
  expiresAt: string;
}

/** What a visitor sent as a challenge and its solution. Nothing of it is verified. */
interface SentProof {
  parameters: Record<string, unknown>;
  signature: string;
  derivedKey: string;
}

/**
 * Makes and verifies proofs of work in the format of ALTCHA 2, and the time tokens of forms. The library of ALTCHA makes the challenges. It
 * verifies with Web Crypto, where each hash waits for another thread, in five times the time; the tests compare both.
 */
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
  verify(form: TokenForm, proof: unknown): ValidProof | undefined {
    const sent = readProof(proof);
    if (!sent) return undefined;
    const { parameters, signature, derivedKey } = sent;
    const text = canonical(parameters);
    const secret = this.tokens.secretsOf(form).find((one) => isHexOf(signature, hmac(one, text)));
    if (secret === undefined) return undefined;
    // The service signed the parameters, so they are those of a challenge.
    const { expiresAt, keySignature } = parameters as { expiresAt: number; keySignature: string };
    if (expiresAt * 1000 < Date.now()) return undefined;
    if (!isHexOf(keySignature, hmac(keySecret(secret), Buffer.from(derivedKey, 'hex')))) return undefined;
    return { id: hashedUuid(signature), expiresAt: new Date(expiresAt * 1000).toISOString() };
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

function hmac(secret: string, data: string | Buffer): Buffer {
  return createHmac('sha256', secret).update(data).digest();
}

/** Returns the text that is signed: JSON with the names in their order. */
function canonical(parameters: object): string {
  return JSON.stringify(parameters, Object.keys(parameters).sort());
}

/** No other text counts, such as one with capital letters: a proof is known by its signature. */
function isHexOf(text: string, bytes: Buffer): boolean {
  const [given, expected] = [Buffer.from(text), Buffer.from(bytes.toString('hex'))];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function readProof(proof: unknown): SentProof | undefined {
  if (typeof proof !== 'string' || proof.length > MAX_PROOF || !BASE64.test(proof)) return undefined;
  const { challenge, solution } = recordOf(parsedOf(Buffer.from(proof, 'base64').toString('utf8')));
  const { parameters, signature } = recordOf(challenge);
  const { counter, derivedKey } = recordOf(solution);
  if (!isRecord(parameters) || typeof signature !== 'string') return undefined;
  if (!Number.isSafeInteger(counter) || typeof derivedKey !== 'string' || !HEX.test(derivedKey)) return undefined;
  return { parameters, signature, derivedKey };
}

function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

function parsedOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
