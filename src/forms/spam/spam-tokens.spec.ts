import { SpamTokens } from './spam-tokens.js';

const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const form = { tenantId: 'ten_acme', formId: '01900000-0000-7000-8000-000000000001' };
const NOW = 1_900_000_000_000;
const DAY = 24 * 3_600_000;

describe('a time token', () => {
  const tokens = new SpamTokens([first]);
  const token = tokens.sign(form, NOW);

  it('has an age for 24 hours', () => {
    expect(tokens.ageOf(form, token, NOW + 5_000)).toBe(5_000);
    expect(tokens.ageOf(form, token, NOW + DAY)).toBe(DAY);
    expect(tokens.ageOf(form, token, NOW + DAY + 1)).toBeUndefined();
  });

  it('is not valid for another form or tenant', () => {
    expect(tokens.ageOf({ ...form, tenantId: 'ten_other' }, token, NOW)).toBeUndefined();
    expect(tokens.ageOf({ ...form, formId: '01900000-0000-7000-8000-000000000002' }, token, NOW)).toBeUndefined();
  });

  it('is refused if any character was changed, added or removed, or if it is no text', () => {
    for (let at = 0; at < token.length; at++) {
      for (const other of 'Ab0_-=+/ ') {
        const changed = token.slice(0, at) + other + token.slice(at + 1);
        if (changed !== token) expect(tokens.ageOf(form, changed, NOW)).toBeUndefined();
      }
      expect(tokens.ageOf(form, token.slice(0, at), NOW)).toBeUndefined();
    }
    for (const other of [undefined, null, 5, [token], { token }, `${token}A`]) {
      expect(tokens.ageOf(form, other, NOW)).toBeUndefined();
    }
  });

  it('that another key signed is valid while this key is configured', () => {
    expect(new SpamTokens([second, first]).ageOf(form, token, NOW)).toBe(0);
    expect(new SpamTokens([second]).ageOf(form, token, NOW)).toBeUndefined();
  });
});

describe('the secrets of challenges', () => {
  it('differ by form, tenant and key', () => {
    const tokens = new SpamTokens([first, second]);
    const all = [form, { ...form, tenantId: 'ten_other' }, { ...form, formId: 'x' }].flatMap((one) =>
      tokens.secretsOf(one),
    );
    expect(new Set(all).size).toBe(6);
  });
});
