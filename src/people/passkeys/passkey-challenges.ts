import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

/** What a challenge is for. It is valid for nothing else. `create`: the person; `invitation`: what identifies the invitation. */
export type ChallengePurpose = 'sign in' | { create: string } | { invitation: string };

/** A challenge that was answered. It must be recorded until it expires, so that it is not answered again. */
export interface UsedChallenge {
  /** SHA-256 of the challenge. */
  hash: Buffer;
  expiresAt: Date;
}

/** How long a person has to answer. */
export const CHALLENGE_MS = 5 * 60_000;

const KEY_BYTES = 32;
const RANDOM_BYTES = 16;
const TIME_BYTES = 6;
const HEAD_BYTES = RANDOM_BYTES + TIME_BYTES;
const MAC_BYTES = 32;

/**
 * Makes challenges that are stored nowhere: 16 random bytes, the time of expiry in milliseconds, and HMAC-SHA256 over both and the purpose, with
 * a key that is derived (HKDF, RFC 5869) from `ENCRYPTION_KEY`. The first encryption key makes them, and all verify them.
 */
export class PasskeyChallenges {
  private readonly keys: readonly Buffer[];

  constructor(encryptionKeys: readonly Buffer[]) {
    this.keys = encryptionKeys.map((key) =>
      Buffer.from(hkdfSync('sha256', key, '', 'trivet passkey challenges', KEY_BYTES)),
    );
  }

  create(purpose: ChallengePurpose, now = Date.now()): Uint8Array<ArrayBuffer> {
    const head = Buffer.alloc(HEAD_BYTES);
    randomBytes(RANDOM_BYTES).copy(head);
    head.writeUIntBE(now + CHALLENGE_MS, RANDOM_BYTES, TIME_BYTES);
    return Uint8Array.from(Buffer.concat([head, this.mac(this.keys[0]!, purpose, head)]));
  }

  /** Returns the challenge if it was made for the purpose; otherwise, or when it has expired, undefined. */
  verify(challenge: string, purpose: ChallengePurpose, now = Date.now()): UsedChallenge | undefined {
    const bytes = Buffer.from(challenge, 'base64url');
    // Other texts may stand for the same bytes, and would not be found among the challenges that were used.
    if (bytes.length !== HEAD_BYTES + MAC_BYTES || bytes.toString('base64url') !== challenge) return undefined;
    const [head, mac] = [bytes.subarray(0, HEAD_BYTES), bytes.subarray(HEAD_BYTES)];
    if (!this.keys.some((key) => timingSafeEqual(this.mac(key, purpose, head), mac))) return undefined;
    const expires = head.readUIntBE(RANDOM_BYTES, TIME_BYTES);
    if (now >= expires) return undefined;
    return { hash: createHash('sha256').update(bytes).digest(), expiresAt: new Date(expires) };
  }

  private mac(key: Buffer, purpose: ChallengePurpose, head: Buffer): Buffer {
    return createHmac('sha256', key).update(head).update(JSON.stringify(purpose)).digest();
  }
}
