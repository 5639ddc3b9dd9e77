import { randomBytes } from 'node:crypto';
import type { Config } from '../../config/config.js';
import { newUuid } from '../../ids/type-id.js';
import { VariantSignatures } from './variant-signatures.js';

const signaturesWith = (...encryptionKeys: Buffer[]) => new VariantSignatures({ encryptionKeys } as unknown as Config);

describe('signatures of variants', () => {
  const key = Buffer.alloc(32, 7);
  const signatures = signaturesWith(key);
  const media = newUuid();
  const query = { w: 320, format: 'webp' as const };
  const signed = signatures.sign('ten_a', media, query);

  it('are 22 characters and valid for one tenant, file and query only', () => {
    expect(signed).toMatch(/^[\w-]{22}$/);
    expect(signatures.isValid('ten_a', media, query, signed)).toBe(true);
    expect(signatures.isValid('ten_b', media, query, signed)).toBe(false);
    expect(signatures.isValid('ten_a', newUuid(), query, signed)).toBe(false);
    for (const other of [
      {},
      { w: 320 },
      { ...query, w: 321 },
      { ...query, h: 320 },
      { h: 320, format: 'webp' as const },
    ]) {
      expect(signatures.isValid('ten_a', media, other, signed)).toBe(false);
    }
  });

  it('are not valid in any other form', () => {
    const standard = Buffer.from(signed, 'base64url').toString('base64');
    for (const given of ['', signed.slice(1), `${signed}A`, `${signed}=`, standard, ` ${signed}`, '💥'.repeat(11)]) {
      expect([given, signatures.isValid('ten_a', media, query, given)]).toEqual([given, false]);
    }
  });

  it('stay valid while the encryption key is rotated, and become invalid when it is removed', () => {
    const next = randomBytes(32);
    expect(signaturesWith(next, key).isValid('ten_a', media, query, signed)).toBe(true);
    expect(signaturesWith(next, key).sign('ten_a', media, query)).toBe(
      signaturesWith(next).sign('ten_a', media, query),
    );
    expect(signaturesWith(next).isValid('ten_a', media, query, signed)).toBe(false);
  });
});
