import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { formatVariantQuery, type VariantQuery } from './variant.js';

const KEY_BYTES = 32;
/** 128 bits cannot be guessed, and the URL stays short. */
const SIGNATURE_BYTES = 16;

/**
 * Signs the queries of variants: HMAC-SHA256 over tenant, file and canonical query, with a key that is derived (HKDF, RFC 5869) from
 * `ENCRYPTION_KEY` for the tenant. The first encryption key signs, and all verify.
 */
@Injectable()
export class VariantSignatures {
  private readonly keys = new Map<string, Buffer[]>();

  constructor(private readonly config: Config) {}

  /** Returns 22 characters of base64url. */
  sign(tenantId: string, mediaId: string, query: VariantQuery): string {
    const [key = Buffer.alloc(0)] = this.keysOf(tenantId);
    return signature(key, tenantId, mediaId, query).toString('base64url');
  }

  isValid(tenantId: string, mediaId: string, query: VariantQuery, given: string): boolean {
    const bytes = Buffer.from(given, 'base64url');
    // Accept only the canonical form, because otherwise a cache could be filled with the other forms.
    if (bytes.length !== SIGNATURE_BYTES || bytes.toString('base64url') !== given) return false;
    return this.keysOf(tenantId).some((key) => timingSafeEqual(signature(key, tenantId, mediaId, query), bytes));
  }

  private keysOf(tenantId: string): Buffer[] {
    const known = this.keys.get(tenantId);
    if (known) return known;
    const info = `trivet media variants ${tenantId}`;
    const keys = this.config.encryptionKeys.map((key) => Buffer.from(hkdfSync('sha256', key, '', info, KEY_BYTES)));
    this.keys.set(tenantId, keys);
    return keys;
  }
}

function signature(key: Buffer, tenantId: string, mediaId: string, query: VariantQuery): Buffer {
  const text = [tenantId, mediaId, formatVariantQuery(query)].join('\n');
  return createHmac('sha256', key).update(text).digest().subarray(0, SIGNATURE_BYTES);
}
