import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ENCRYPTED = /^v1\.([0-9a-f]{8})\.([\w-]{16})\.([\w-]{22,})$/;

/**
 * Encrypts small texts at rest with AES-256-GCM. The first key encrypts and every key decrypts, so a new key is placed before the old one. An
 * encrypted text is `v1.<first 8 hex of the key's SHA-256>.<nonce>.<ciphertext and tag>`, the last two in base64url.
 */
export class SecretCipher {
  private readonly keys: readonly { id: string; key: Buffer }[];

  /** Throws a RangeError if there is no key, or a key does not have 32 bytes. */
  constructor(keys: readonly Buffer[]) {
    if (keys.length === 0) throw new RangeError('An encryption key is required.');
    if (keys.some((key) => key.length !== KEY_BYTES)) throw new RangeError('An encryption key must have 32 bytes.');
    this.keys = keys.map((key) => ({ id: keyIdOf(key), key }));
  }

  /** Whether the text was encrypted with the first key. */
  isCurrent(encrypted: string): boolean {
    return keyIdIn(encrypted) === this.keys[0]?.id;
  }

  /** `context` identifies the owner of the secret (tenant and webhook). The text can be decrypted with the same context only. */
  encrypt(plain: string, context: string): string {
    const [{ id, key }] = this.keys as [{ id: string; key: Buffer }];
    const nonce = randomBytes(NONCE_BYTES);
    const gcm = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(context));
    const encrypted = Buffer.concat([gcm.update(plain, 'utf8'), gcm.final(), gcm.getAuthTag()]);
    return ['v1', id, nonce.toString('base64url'), encrypted.toString('base64url')].join('.');
  }

  /** Returns the text that was encrypted. Throws if its key is missing, or if it was altered or encrypted for another context. */
  decrypt(encrypted: string, context: string): string {
    const [, id, nonce = '', rest = ''] = ENCRYPTED.exec(encrypted) ?? [];
    if (!id) throw new Error('This is not an encrypted secret.');
    const found = this.keys.find((candidate) => candidate.id === id);
    if (!found) throw new Error(`The secret was encrypted with the encryption key ${id}, which is not configured.`);
    const bytes = Buffer.from(rest, 'base64url');
    const text = bytes.subarray(0, -TAG_BYTES);
    try {
      const decipher = createDecipheriv(ALGORITHM, found.key, Buffer.from(nonce, 'base64url'), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-TAG_BYTES));
      return decipher.update(text, undefined, 'utf8') + decipher.final('utf8');
    } catch (cause) {
      throw new Error('The encrypted secret was altered, or belongs to another record.', { cause });
    }
  }
}

/** Returns the ID that a key has in encrypted texts. */
export function keyIdOf(key: Buffer): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 8);
}

/** Returns the ID of the key that a text was encrypted with; undefined if it is not an encrypted text. */
export function keyIdIn(encrypted: string): string | undefined {
  return ENCRYPTED.exec(encrypted)?.[1];
}
