import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { SecretCipher } from './secret-cipher.js';

const oldKey = randomBytes(32);
const newKey = randomBytes(32);
const cipher = new SecretCipher([oldKey]);

describe('the cipher of secrets', () => {
  it('decrypts a text that it encrypted with the same context', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (plain, context) => {
        return cipher.decrypt(cipher.encrypt(plain, context), context) === plain;
      }),
    );
  });

  it('encrypts a text in the documented format, differently each time', () => {
    const encrypted = cipher.encrypt('a long enough secret', 'wh_1');
    expect(encrypted).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]{16}\.[\w-]{48}$/);
    expect(cipher.encrypt('a long enough secret', 'wh_1')).not.toBe(encrypted);
  });

  it('does not decrypt with another context, so that a secret cannot be moved to another row', () => {
    const encrypted = cipher.encrypt('secret', 'ten_a/wh_1');
    expect(() => cipher.decrypt(encrypted, 'ten_b/wh_1')).toThrow(
      'The encrypted secret was altered, or belongs to another record.',
    );
  });

  it('does not decrypt an altered text', () => {
    const encrypted = cipher.encrypt('secret', 'wh_1');
    for (let at = 0; at < encrypted.length; at++) {
      // Both differ from every canonical last character in significant bits.
      const other = encrypted[at] === 'A' ? 'Q' : 'A';
      expect(() => cipher.decrypt(encrypted.slice(0, at) + other + encrypted.slice(at + 1), 'wh_1')).toThrow();
    }
    expect(() => cipher.decrypt(encrypted.slice(0, -1), 'wh_1')).toThrow();
  });

  it('decrypts with every key and encrypts with the first, so that keys can be rotated', () => {
    const encrypted = cipher.encrypt('secret', 'wh_1');
    const rotated = new SecretCipher([newKey, oldKey]);
    expect(rotated.decrypt(encrypted, 'wh_1')).toBe('secret');
    expect(new SecretCipher([newKey]).decrypt(rotated.encrypt('secret', 'wh_1'), 'wh_1')).toBe('secret');
  });

  it('names the missing key', () => {
    const encrypted = cipher.encrypt('secret', 'wh_1');
    const id = encrypted.split('.')[1];
    expect(() => new SecretCipher([newKey]).decrypt(encrypted, 'wh_1')).toThrow(
      `The secret was encrypted with the encryption key ${id}, which is not configured.`,
    );
  });

  it.each(['', 'secret', 'v2.00000000.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA', 'v1...'])(
    'refuses to decrypt %j',
    (text) => {
      expect(() => cipher.decrypt(text, 'wh_1')).toThrow('This is not an encrypted secret.');
    },
  );

  it('requires keys of 32 bytes', () => {
    expect(() => new SecretCipher([])).toThrow(RangeError);
    expect(() => new SecretCipher([oldKey, randomBytes(16)])).toThrow('An encryption key must have 32 bytes.');
  });
});
