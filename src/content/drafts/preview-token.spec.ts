import fc from 'fast-check';
import { newUuid } from '../../ids/type-id.js';
import { PreviewTokens } from './preview-token.js';

const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const ids = { typeId: newUuid(), entryId: newUuid(), makerId: newUuid() };
const target = { tenantId: 'ten_acme', ...ids, links: 3, expires: 2_000_000_000 };
const ROOT = 'the root of the key';
const NOW = 1_900_000_000_000;

describe('a preview token', () => {
  const tokens = new PreviewTokens([first]);

  it('is short, URL-safe and returns what it was signed for', () => {
    const token = tokens.sign(target, ROOT);
    expect(token).toMatch(/^[\w-]{110,130}$/);
    expect(tokens.read(token, NOW)).toMatchObject(target);
  });

  it('knows the key that it was made with', () => {
    const read = tokens.read(tokens.sign(target, ROOT), NOW);
    expect([read?.isMadeWith(ROOT), read?.isMadeWith('another root')]).toEqual([true, false]);
    expect(new PreviewTokens([second, first]).read(tokens.sign(target, ROOT), NOW)?.isMadeWith(ROOT)).toBe(true);
  });

  it('is refused from its expiry on', () => {
    const token = tokens.sign(target, ROOT);
    expect(tokens.read(token, 1_999_999_999_999)).toBeDefined();
    expect(tokens.read(token, 2_000_000_000_000)).toBeUndefined();
  });

  it('is refused if any character was changed, added or removed', () => {
    const token = tokens.sign(target, ROOT);
    for (let at = 0; at < token.length; at++) {
      for (const other of 'Ab0_-=+/ ') {
        const changed = token.slice(0, at) + other + token.slice(at + 1);
        if (changed !== token) expect(tokens.read(changed, NOW)).toBeUndefined();
      }
      expect(tokens.read(token.slice(0, at), NOW)).toBeUndefined();
      expect(tokens.read(token.slice(0, at) + token.slice(at + 1), NOW)).toBeUndefined();
    }
    for (const added of ['A', '=', '\n', ' ', '\0']) expect(tokens.read(token + added, NOW)).toBeUndefined();
    fc.assert(fc.property(fc.base64String({ minLength: 60, maxLength: 300 }), (text) => !tokens.read(text, NOW)));
  });

  it('that another key signed is valid while this key is configured', () => {
    const token = tokens.sign(target, ROOT);
    expect(new PreviewTokens([second, first]).read(token, NOW)).toMatchObject(target);
    expect(new PreviewTokens([second]).read(token, NOW)).toBeUndefined();
    expect(new PreviewTokens([second, first]).sign(target, ROOT)).not.toBe(token);
  });
});
