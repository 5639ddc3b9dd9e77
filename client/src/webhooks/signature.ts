/** A kind of key: how a secret is read, and which signatures it checks (Standard Webhooks). */
interface KeyKind {
  readonly prefix: string;
  readonly algorithm: { readonly name: string; readonly hash?: string };
  readonly version: string;
}

const SECRET = { prefix: 'whsec_', algorithm: { name: 'HMAC', hash: 'SHA-256' }, version: 'v1' } as const;
const PUBLIC_KEY = { prefix: 'whpk_', algorithm: { name: 'Ed25519' }, version: 'v1a' } as const;

/** Whether one of the signatures in the header is one of the bytes with this secret. WebCrypto compares in constant time. */
export async function isSigned(header: string, signed: Uint8Array<ArrayBuffer>, secret: string): Promise<boolean> {
  const kind: KeyKind = secret.startsWith(PUBLIC_KEY.prefix) ? PUBLIC_KEY : SECRET;
  const key = await crypto.subtle.importKey('raw', keyBytes(secret, kind), kind.algorithm, false, ['verify']);
  let isOneOfThem = false;
  for (const signature of header.split(' ')) {
    const [version, text] = signature.split(',', 2);
    const bytes = version === kind.version ? decode(text ?? '') : undefined;
    if (bytes && (await crypto.subtle.verify(kind.algorithm.name, key, bytes, signed))) isOneOfThem = true;
  }
  return isOneOfThem;
}

/** A secret without a prefix is the key itself. */
function keyBytes(secret: string, { prefix }: KeyKind): Uint8Array<ArrayBuffer> {
  if (!secret.startsWith(prefix)) return new TextEncoder().encode(secret);
  const bytes = decode(secret.slice(prefix.length));
  if (!bytes) throw new TypeError(`What follows ${prefix} in the secret is not base64.`);
  return bytes;
}

/** Decodes base64; undefined if the text is something else. */
function decode(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
