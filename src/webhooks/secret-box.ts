import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SEALED = /^v1\.([0-9a-f]{8})\.([\w-]{16})\.([\w-]{22,})$/;

/**
 * Encrypts small texts at rest with AES-256-GCM. The first key seals and every key opens, so a new key is placed before the old one. A
 * sealed text is `v1.<first 8 hex of the key's SHA-256>.<nonce>.<ciphertext and tag>`, the last two in base64url.
 */
export class SecretBox {
  private readonly keys: readonly { id: string; key: Buffer }[];

  /** Throws a RangeError if there is no key, or a key does not have 32 bytes. */
  constructor(keys: readonly Buffer[]) {
    if (keys.length === 0) throw new RangeError('An encryption key is required.');
    if (keys.some((key) => key.length !== KEY_BYTES)) throw new RangeError('An encryption key must have 32 bytes.');
    this.keys = keys.map((key) => ({ id: keyIdOf(key), key }));
  }

  /** Whether the text was sealed with the first key. */
  isCurrent(sealed: string): boolean {
    return sealingKeyOf(sealed) === this.keys[0]?.id;
  }

  /** `context` identifies the owner of the secret (tenant and webhook). The text can be opened with the same context only. */
  seal(plain: string, context: string): string {
    const [{ id, key }] = this.keys as [{ id: string; key: Buffer }];
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return ['v1', id, nonce.toString('base64url'), sealed.toString('base64url')].join('.');
  }

  /** Returns the text that was sealed. Throws if its key is missing, or if it was altered or sealed for another context. */
  open(sealed: string, context: string): string {
    const [, id, nonce = '', rest = ''] = SEALED.exec(sealed) ?? [];
    if (!id) throw new Error('This is not a sealed secret.');
    const found = this.keys.find((candidate) => candidate.id === id);
    if (!found) throw new Error(`The secret was sealed with the encryption key ${id}, which is not configured.`);
    const bytes = Buffer.from(rest, 'base64url');
    const text = bytes.subarray(0, -TAG_BYTES);
    try {
      const decipher = createDecipheriv(CIPHER, found.key, Buffer.from(nonce, 'base64url'), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-TAG_BYTES));
      return decipher.update(text, undefined, 'utf8') + decipher.final('utf8');
    } catch (cause) {
      throw new Error('The sealed secret was altered, or belongs to another webhook.', { cause });
    }
  }
}

/** Returns the ID that a key has in sealed texts. */
export function keyIdOf(key: Buffer): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 8);
}

/** Returns the ID of the key that a text was sealed with; undefined if it is not a sealed text. */
export function sealingKeyOf(sealed: string): string | undefined {
  return SEALED.exec(sealed)?.[1];
}
