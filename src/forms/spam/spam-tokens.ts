import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

const KEY_BYTES = 32;
/** 128 bits cannot be guessed. */
const SIGNATURE_BYTES = 16;
const FORMAT = 1;
/** The format, then the time in milliseconds. */
const HEAD_BYTES = 7;
const TOKEN = new RegExp(`^[A-Za-z0-9_-]{${Math.ceil(((HEAD_BYTES + SIGNATURE_BYTES) * 4) / 3)}}$`);
const MAX_AGE_MS = 24 * 3_600_000;

/** A form, with its tenant, both by ID. */
export interface TokenForm {
  tenantId: string;
  formId: string;
}

/**
 * Signs the time at which a visitor received a form (`_t`), and derives the secrets that sign its challenges. The keys are derived (HKDF,
 * RFC 5869) from the encryption keys. The first encryption key signs, and all verify. What one form signs is not valid for another.
 */
export class SpamTokens {
  private readonly keys: readonly Buffer[];

  constructor(encryptionKeys: readonly Buffer[]) {
    this.keys = encryptionKeys.map((key) => Buffer.from(hkdfSync('sha256', key, '', 'trivet form spam', KEY_BYTES)));
  }

  /** Returns a token of the time `now`, in milliseconds. */
  sign(form: TokenForm, now: number): string {
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt8(FORMAT, 0);
    head.writeUIntBE(now, 1, 6);
    const [key = Buffer.alloc(0)] = this.keys;
    return Buffer.concat([head, signature(key, form, head)]).toString('base64url');
  }

  /** Returns the age of the token in milliseconds; undefined for a token that `sign` did not return for the form in the last 24 hours. */
  ageOf(form: TokenForm, token: unknown, now: number): number | undefined {
    if (typeof token !== 'string' || !TOKEN.test(token)) return undefined;
    const signed = Buffer.from(token, 'base64url');
    // Decoding is lenient. Refuse text that would not be encoded to the same token.
    if (signed.toString('base64url') !== token) return undefined;
    const head = signed.subarray(0, HEAD_BYTES);
    const given = signed.subarray(HEAD_BYTES);
    if (!this.keys.some((key) => timingSafeEqual(signature(key, form, head), given))) return undefined;
    const age = now - head.readUIntBE(1, 6);
    return head.readUInt8(0) === FORMAT && age <= MAX_AGE_MS ? age : undefined;
  }

  /** The secrets that sign the challenges of the form, one for each encryption key: text for the library. */
  secretsOf(form: TokenForm): readonly string[] {
    return this.keys.map((key) => mac(key, 'challenge', form, Buffer.alloc(0)).toString('hex'));
  }
}

function signature(key: Buffer, form: TokenForm, head: Buffer): Buffer {
  return mac(key, 'time', form, head).subarray(0, SIGNATURE_BYTES);
}

/** Neither a purpose nor an ID contains a space, so different parts never make the same text. */
function mac(key: Buffer, purpose: string, { tenantId, formId }: TokenForm, data: Buffer): Buffer {
  return createHmac('sha256', key).update(`${purpose} ${tenantId} ${formId} `).update(data).digest();
}
