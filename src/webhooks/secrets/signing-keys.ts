import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';

/** An Ed25519 key pair in the forms of the Standard Webhooks specification. */
interface SigningKeyPair {
  /** `whsk_` and the base64 of 64 bytes: the seed, then the public key. */
  privateKey: string;
  /** `whpk_` and the base64 of 32 bytes. */
  publicKey: string;
}

const PRIVATE_PREFIX = 'whsk_';
const PUBLIC_PREFIX = 'whpk_';
const SEED_BYTES = 32;
/** What precedes the seed in the PKCS #8 form of an Ed25519 key (RFC 8410). */
const PKCS8_HEADER = Buffer.from('302e020100300506032b657004220420', 'hex');

export function newSigningKeyPair(): SigningKeyPair {
  const { x = '', d = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const [seed, point] = [Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')];
  return {
    privateKey: PRIVATE_PREFIX + Buffer.concat([seed, point]).toString('base64'),
    publicKey: PUBLIC_PREFIX + point.toString('base64'),
  };
}

/** Returns the base64 of the Ed25519 signature with a private key `whsk_…`. */
export function signEd25519(privateKey: string, content: string): string {
  const seed = Buffer.from(privateKey.slice(PRIVATE_PREFIX.length), 'base64').subarray(0, SEED_BYTES);
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_HEADER, seed]), format: 'der', type: 'pkcs8' });
  return sign(null, Buffer.from(content), key).toString('base64');
}
