import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

const KEY_BYTES = 32;
/** 128 bits cannot be guessed, and the URL stays short. */
const SIGNATURE_BYTES = 16;
/** Enough to tell keys of the same ID apart. It reveals nothing about the key. */
const MARK_BYTES = 8;
const FORMAT = 1;
/** The format, the expiry and the generation come first, then three UUIDs and the mark. The rest is the tenant's ID. */
const UUID_BYTES = 16;
const NUMBER_BYTES = 1 + 4 + 4;
const HEAD_BYTES = NUMBER_BYTES + 3 * UUID_BYTES + MARK_BYTES;
/** No token is longer: a tenant's ID has at most 44 characters. */
const MAX_LENGTH = 200;

/** What a preview link shows. */
export interface PreviewTarget {
  tenantId: string;
  typeId: string;
  entryId: string;
  /** The link ends when the entry's preview links have another generation. */
  links: number;
  /** In seconds since 1970. */
  expires: number;
  /** The UUID of the API key that made the link. */
  makerId: string;
}

/** What a valid token says. */
interface ReadToken extends PreviewTarget {
  /** Tells the key that made the link from a later one with its ID, by the `root` of both. */
  isMadeWith: (root: string) => boolean;
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

  /** `root` is that of the API key that makes the link. */
  sign(target: PreviewTarget, root: string): string {
    const [key = Buffer.alloc(0)] = this.keys;
    const bytes = encode(target, markOf(key, root));
    return Buffer.concat([bytes, signature(key, bytes)]).toString('base64url');
  }

  /** Returns undefined for a token that `sign` did not return, also if it has expired. `now` is in milliseconds. */
  read(token: string, now: number): ReadToken | undefined {
    if (token.length > MAX_LENGTH) return undefined;
    const signed = Buffer.from(token, 'base64url');
    // Decoding is lenient. Refuse text that would not be encoded to the same token.
    if (signed.length <= HEAD_BYTES + SIGNATURE_BYTES || signed.toString('base64url') !== token) return undefined;
    const bytes = signed.subarray(0, -SIGNATURE_BYTES);
    const given = signed.subarray(-SIGNATURE_BYTES);
    const key = this.keys.find((one) => timingSafeEqual(signature(one, bytes), given));
    const target = key && decode(bytes);
    if (!target || target.expires * 1000 <= now) return undefined;
    const mark = bytes.subarray(HEAD_BYTES - MARK_BYTES, HEAD_BYTES);
    return { ...target, isMadeWith: (root) => markOf(key, root).equals(mark) };
  }
}

function signature(key: Buffer, bytes: Buffer): Buffer {
  return createHmac('sha256', key).update(bytes).digest().subarray(0, SIGNATURE_BYTES);
}

function markOf(key: Buffer, root: string): Buffer {
  return createHmac('sha256', key).update('maker ').update(root).digest().subarray(0, MARK_BYTES);
}

function encode({ tenantId, typeId, entryId, makerId, links, expires }: PreviewTarget, mark: Buffer): Buffer {
  const numbers = Buffer.alloc(NUMBER_BYTES);
  numbers.writeUInt8(FORMAT, 0);
  numbers.writeUInt32BE(expires, 1);
  numbers.writeUInt32BE(links, 5);
  return Buffer.concat([numbers, ...[typeId, entryId, makerId].map(bytesOf), mark, Buffer.from(tenantId)]);
}

function decode(bytes: Buffer): PreviewTarget | undefined {
  if (bytes.readUInt8(0) !== FORMAT) return undefined;
  const uuidAt = (index: number) => {
    const at = NUMBER_BYTES + index * UUID_BYTES;
    return uuidOf(bytes.subarray(at, at + UUID_BYTES));
  };
  return {
    expires: bytes.readUInt32BE(1),
    links: bytes.readUInt32BE(5),
    typeId: uuidAt(0),
    entryId: uuidAt(1),
    makerId: uuidAt(2),
    tenantId: bytes.toString('utf8', HEAD_BYTES),
  };
}

function bytesOf(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
