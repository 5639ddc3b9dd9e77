import { isSecret, newSecretText } from './secret-text.js';

describe('a secret', () => {
  it('is recognized, and not guessed', () => {
    const keys = Array.from({ length: 50 }, () => newSecretText('tvk_'));
    expect(keys.every((key) => isSecret('tvk_', key) && key.length === 53)).toBe(true);
    expect(new Set(keys).size).toBe(50);
  });

  it('is refused if a character was changed, added or removed', () => {
    const key = newSecretText('tvk_');
    for (let at = 0; at < key.length; at++) {
      for (const other of 'Ab0_-') {
        const changed = key.slice(0, at) + other + key.slice(at + 1);
        if (changed !== key) expect(isSecret('tvk_', changed)).toBe(false);
      }
      expect(isSecret('tvk_', key.slice(0, at) + key.slice(at + 1))).toBe(false);
    }
    expect(['', 'tvk_', `${key}A`, `${key}\n`, ` ${key}`].some((text) => isSecret('tvk_', text))).toBe(false);
  });
});
