import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { SecretBox } from './secret-box.js';

const oldKey = randomBytes(32);
const newKey = randomBytes(32);
const box = new SecretBox([oldKey]);

describe('a secret box', () => {
  it('opens a text that it sealed with the same context', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (plain, context) => {
        return box.open(box.seal(plain, context), context) === plain;
      }),
    );
  });

  it('seals a text in the documented format, differently each time', () => {
    const sealed = box.seal('a long enough secret', 'wh_1');
    expect(sealed).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]{16}\.[\w-]{48}$/);
    expect(box.seal('a long enough secret', 'wh_1')).not.toBe(sealed);
  });

  it('does not open with another context, so that a secret cannot be moved to another row', () => {
    const sealed = box.seal('secret', 'ten_a/wh_1');
    expect(() => box.open(sealed, 'ten_b/wh_1')).toThrow(
      'The sealed secret was altered, or belongs to another webhook.',
    );
  });

  it('does not open an altered text', () => {
    const sealed = box.seal('secret', 'wh_1');
    for (let at = 0; at < sealed.length; at++) {
      // Both differ from every canonical last character in significant bits.
      const other = sealed[at] === 'A' ? 'Q' : 'A';
      expect(() => box.open(sealed.slice(0, at) + other + sealed.slice(at + 1), 'wh_1')).toThrow();
    }
    expect(() => box.open(sealed.slice(0, -1), 'wh_1')).toThrow();
  });

  it('opens with every key and seals with the first, so that keys can be rotated', () => {
    const sealed = box.seal('secret', 'wh_1');
    const rotated = new SecretBox([newKey, oldKey]);
    expect(rotated.open(sealed, 'wh_1')).toBe('secret');
    expect(new SecretBox([newKey]).open(rotated.seal('secret', 'wh_1'), 'wh_1')).toBe('secret');
  });

  it('names the missing key', () => {
    const sealed = box.seal('secret', 'wh_1');
    const id = sealed.split('.')[1];
    expect(() => new SecretBox([newKey]).open(sealed, 'wh_1')).toThrow(
      `The secret was sealed with the encryption key ${id}, which is not configured.`,
    );
  });

  it.each(['', 'secret', 'v2.00000000.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA', 'v1...'])(
    'refuses to open %j',
    (text) => {
      expect(() => box.open(text, 'wh_1')).toThrow('This is not a sealed secret.');
    },
  );

  it('requires keys of 32 bytes', () => {
    expect(() => new SecretBox([])).toThrow(RangeError);
    expect(() => new SecretBox([oldKey, randomBytes(16)])).toThrow('An encryption key must have 32 bytes.');
  });
});
