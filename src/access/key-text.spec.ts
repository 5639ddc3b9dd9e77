import { isKeyText, newKeyText } from './key-text.js';

describe('the text of a key', () => {
  it('is recognized, and not guessed', () => {
    const keys = Array.from({ length: 50 }, newKeyText);
    expect(keys.every((key) => isKeyText(key) && key.length === 53)).toBe(true);
    expect(new Set(keys).size).toBe(50);
  });

  it('is refused if a character was changed, added or removed', () => {
    const key = newKeyText();
    for (let at = 0; at < key.length; at++) {
      for (const other of 'Ab0_-') {
        const changed = key.slice(0, at) + other + key.slice(at + 1);
        if (changed !== key) expect(isKeyText(changed)).toBe(false);
      }
      expect(isKeyText(key.slice(0, at) + key.slice(at + 1))).toBe(false);
    }
    expect(['', 'tvk_', `${key}A`, `${key}\n`, ` ${key}`].some(isKeyText)).toBe(false);
  });
});
