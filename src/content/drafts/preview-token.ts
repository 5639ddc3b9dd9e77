import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

const KEY_BYTES = 32;
/** 128 bits cannot be guessed, and the URL stays short. */
const SIGNATURE_BYTES = 16;
const FORMAT = 1;
/** The format of a token with a list of content types, which stands before the tenant's ID: their number, and a UUID for each. */
const FORMAT_WITH_TYPES = 2;
const MAX_TYPES = 100;
/** The format, the expiry and the generation come first, then two UUIDs. The rest is the tenant's ID. */
const UUID_BYTES = 16;
const HEAD_BYTES = 1 + 4 + 4 + 2 * UUID_BYTES;
/** No token is longer: a tenant's ID has at most 44 characters. */
const MAX_LENGTH = 200 + Math.ceil((MAX_TYPES * UUID_BYTES * 4) / 3);

/** What a preview link shows. */
export interface PreviewTarget {
  tenantId: string;
  typeId: string;
  entryId: string;
  /** The link ends when the entry's preview links have another generation. */
  links: number;
  /** In seconds since 1970. */
  expires: number;
  /** The content types that `include` may show; undefined: all. At most 100. */
  types?: readonly string[];
}

/**
 * Signs what preview links show: HMAC-SHA256 with a key that is derived (HKDF, RFC 5869) from an encryption key. The first encryption key
 * signs, and all verify. A token is base64url of the target's bytes and the signature.
 */
export class PreviewTokens {
  private readonly keys: readonly Buffer[];

  constructor(encryptionKeys: readonly Buffer[]) {
    this.keys = encryptionKeys.map((key) =>
      Buffer.from(hkdfSync('sha256', key, '', 'trivet preview links', KEY_BYTES)),
    );
  }

  sign(target: PreviewTarget): string {
    const [key = Buffer.alloc(0)] = this.keys;
    const bytes = encode(target);
    return Buffer.concat([bytes, signature(key, bytes)]).toString('base64url');
  }

  /** Returns undefined for a token that `sign` did not return, also if it has expired. `now` is in milliseconds. */
  read(token: string, now: number): PreviewTarget | undefined {
    if (token.length > MAX_LENGTH) return undefined;
    const signed = Buffer.from(token, 'base64url');
    // Decoding is lenient. Refuse text that would not be encoded to the same token.
    if (signed.length <= HEAD_BYTES + SIGNATURE_BYTES || signed.toString('base64url') !== token) return undefined;
    const bytes = signed.subarray(0, -SIGNATURE_BYTES);
    const given = signed.subarray(-SIGNATURE_BYTES);
    if (!this.keys.some((key) => timingSafeEqual(signature(key, bytes), given))) return undefined;
    const target = decode(bytes);
    return target && target.expires * 1000 > now ? target : undefined;
  }
}

function signature(key: Buffer, bytes: Buffer): Buffer {
  return createHmac('sha256', key).update(bytes).digest().subarray(0, SIGNATURE_BYTES);
}

function encode({ tenantId, typeId, entryId, links, expires, types }: PreviewTarget): Buffer {
  const numbers = Buffer.alloc(9);
  numbers.writeUInt8(types ? FORMAT_WITH_TYPES : FORMAT, 0);
  numbers.writeUInt32BE(expires, 1);
  numbers.writeUInt32BE(links, 5);
  const list = types ? [Buffer.of(types.length), ...types.map(bytesOf)] : [];
  return Buffer.concat([numbers, bytesOf(typeId), bytesOf(entryId), ...list, Buffer.from(tenantId)]);
}

function decode(bytes: Buffer): PreviewTarget | undefined {
  const format = bytes.readUInt8(0);
  if (format !== FORMAT && format !== FORMAT_WITH_TYPES) return undefined;
  const types = format === FORMAT_WITH_TYPES ? typesIn(bytes) : undefined;
  return {
    expires: bytes.readUInt32BE(1),
    links: bytes.readUInt32BE(5),
    typeId: uuidOf(bytes.subarray(9, 9 + UUID_BYTES)),
    entryId: uuidOf(bytes.subarray(9 + UUID_BYTES, HEAD_BYTES)),
    tenantId: bytes.toString('utf8', HEAD_BYTES + (types ? 1 + types.length * UUID_BYTES : 0)),
    ...(types && { types }),
  };
}

function typesIn(bytes: Buffer): string[] {
  return Array.from({ length: bytes.readUInt8(HEAD_BYTES) }, (_, index) => {
    const at = HEAD_BYTES + 1 + index * UUID_BYTES;
    return uuidOf(bytes.subarray(at, at + UUID_BYTES));
  });
}

function bytesOf(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
