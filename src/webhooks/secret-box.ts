import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SEALED = /^v1\.([0-9a-f]{8})\.([\w-]{16})\.([\w-]{22,})$/;

/**
 * Encrypts small texts at rest with AES-256-GCM. The first key seals and every key opens, so a new one goes in front
 * of the old. A sealed text is `v1.<first 8 hex of the key's SHA-256>.<nonce>.<ciphertext and tag>`, the last two in
 * base64url.
 */
export class SecretBox {
  private readonly keys: readonly { id: string; key: Buffer }[];

  /** Throws a RangeError unless there is a key and each has 32 bytes. */
  constructor(keys: readonly Buffer[]) {
    if (keys.length === 0) throw new RangeError('An encryption key is required.');
    if (keys.some((key) => key.length !== KEY_BYTES)) throw new RangeError('An encryption key must have 32 bytes.');
    this.keys = keys.map((key) => ({ id: keyIdOf(key), key }));
  }

  /** Whether the text was sealed with the key that seals now. */
  isCurrent(sealed: string): boolean {
    return sealingKeyOf(sealed) === this.keys[0]?.id;
  }

  /** `context` says whose secret it is (tenant and webhook); the text opens under the same context only. */
  seal(plain: string, context: string): string {
    const [{ id, key }] = this.keys as [{ id: string; key: Buffer }];
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return ['v1', id, nonce.toString('base64url'), sealed.toString('base64url')].join('.');
  }

  /**
   * The text that was sealed. Throws when its key is not there, or when it was altered or sealed for another context.
   */
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

/** What names a key in a sealed text. */
export function keyIdOf(key: Buffer): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 8);
}

/** The id of the key that a text was sealed with; undefined when it is not a sealed text. */
export function sealingKeyOf(sealed: string): string | undefined {
  return SEALED.exec(sealed)?.[1];
}
