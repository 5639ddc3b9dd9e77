import { createHash, randomBytes } from 'node:crypto';
import { weaknessOf } from './weak-keys.js';

const hashed = (key: string) => `sha256:${createHash('sha256').update(key).digest('hex')}`;
const GUESSED = 'is the hash of a key that is guessed at once';

describe('a key of the configuration', () => {
  it.each([
    ['short-but-random-Xq81Lk', 'has fewer than 24 characters'],
    ['a'.repeat(24), 'repeats a few characters'],
    ['ab12'.repeat(20), 'repeats a few characters'],
    ['secret-key-secret-key-sec', 'repeats a few characters'],
    ['abcdefghijklmnopqrstuvwxyz', 'is a sequence of characters'],
    ['zyxwvutsrqponmlkjihgfedcba', 'is a sequence of characters'],
    ['012345678901234567890123456789', 'repeats a few characters'],
    [hashed(''), GUESSED],
    [hashed('\n'), GUESSED],
    [hashed('changeme'), GUESSED],
    [hashed('secret\n'), GUESSED],
    [hashed('x'.repeat(40)), GUESSED],
    [hashed('ten_acme').toUpperCase().replace('SHA256', 'sha256'), GUESSED],
  ])('%s is weak', (key, weakness) => {
    expect(weaknessOf(key, ['ten_acme'])).toBe(weakness);
  });

  it('is not weak if it is random', () => {
    for (let made = 0; made < 1_000; made++) {
      const key = randomBytes(16);
      for (const text of [
        key.toString('hex'),
        key.toString('base64url').padEnd(24, '_'),
        hashed(key.toString('hex')),
      ]) {
        expect([text, weaknessOf(text, ['ten_acme'])]).toEqual([text, undefined]);
      }
    }
  });
});
