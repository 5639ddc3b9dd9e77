import { createHmac, randomBytes } from 'node:crypto';
import { signEd25519 } from './signing-keys.js';

interface Signable {
  id: string;
  /** The time of the attempt, in whole seconds since 1970. */
  timestampSeconds: number;
  /** The body, exactly as it is sent. */
  body: string;
  /** The signing secrets: none, one, or several while a receiver rotates. */
  secrets: readonly string[];
  /** The private key `whsk_…` of the webhook's key pair, if it has one. */
  signingKey?: string;
}

const PREFIX = 'whsec_';
/** The specification's limits for the key of a secret, in bytes. */
const KEY_BYTES = { min: 24, max: 64 };
const GENERATED_BYTES = 32;
const STRICT_BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** Secrets from before the check may lack the padding. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/** Returns the headers of the Standard Webhooks specification 1.0.0, with `webhook-signature` only if there is a secret or a key pair. */
export function sign({ id, timestampSeconds, body, secrets, signingKey }: Signable): Record<string, string> {
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(timestampSeconds) };
  if (secrets.length === 0 && signingKey === undefined) return headers;
  const content = `${id}.${timestampSeconds}.${body}`;
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', keyOf(secret)).update(content).digest('base64')}`,
  );
  if (signingKey !== undefined) signatures.push(`v1a,${signEd25519(signingKey, content)}`);
  return { ...headers, 'webhook-signature': signatures.join(' ') };
}

/**
 * Returns why receivers could not verify signatures with a secret, as the end of a sentence; undefined if they can. Libraries decode a
 * secret that begins with `whsec_`, and refuse one that they cannot decode.
 */
export function faultOfSecret(secret: string): string | undefined {
  if (!secret.startsWith(PREFIX)) return undefined;
  const encoded = secret.slice(PREFIX.length);
  if (!STRICT_BASE64.test(encoded)) return 'what follows whsec_ is not base64 with padding';
  const bytes = Buffer.byteLength(encoded, 'base64');
  const isKey = bytes >= KEY_BYTES.min && bytes <= KEY_BYTES.max;
  return isKey ? undefined : `its key has ${bytes} bytes instead of ${KEY_BYTES.min} to ${KEY_BYTES.max}`;
}

/** Returns a new random secret in the form of the Standard Webhooks specification. */
export function newSecret(): string {
  return PREFIX + randomBytes(GENERATED_BYTES).toString('base64');
}

/** Decodes a secret of `whsec_` and base64. Any other secret is used as its UTF-8 bytes. */
function keyOf(secret: string): Buffer {
  const encoded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : '';
  return encoded !== '' && BASE64.test(encoded) ? Buffer.from(encoded, 'base64') : Buffer.from(secret, 'utf8');
}
