import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** What a sign-in that began must know at its end. */
export interface FlowState {
  state: string;
  nonce: string;
  /** The secret of PKCE (RFC 7636). */
  verifier: string;
  /** The page of the console to go on with. */
  returnTo: string;
  /** Milliseconds since 1970. */
  expires: number;
}

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Longer than any that is sealed. A cookie has at most 4 KB. */
const MAX_LENGTH = 4_096;

/**
 * Seals states for a cookie with AES-256-GCM, with a key that is derived (HKDF, RFC 5869) from `ENCRYPTION_KEY`. The first encryption key seals,
 * and all open. A state can be opened for its own provider only.
 */
export class FlowStates {
  private readonly keys: readonly Buffer[];

  constructor(encryptionKeys: readonly Buffer[]) {
    this.keys = encryptionKeys.map((key) => Buffer.from(hkdfSync('sha256', key, '', 'trivet oidc flows', KEY_BYTES)));
  }

  /** Returns base64url. */
  seal(providerId: string, state: FlowState): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.keys[0]!, nonce).setAAD(Buffer.from(providerId));
    const sealed = Buffer.concat([cipher.update(JSON.stringify(state), 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return Buffer.concat([nonce, sealed]).toString('base64url');
  }

  /** Returns undefined for anything that `seal` did not return for the provider, and for a state that has expired. */
  open(providerId: string, sealed: string, now = Date.now()): FlowState | undefined {
    const bytes = Buffer.from(sealed.slice(0, MAX_LENGTH), 'base64url');
    if (bytes.length <= NONCE_BYTES + TAG_BYTES) return undefined;
    for (const key of this.keys) {
      const text = decrypt(key, providerId, bytes);
      if (text === undefined) continue;
      const state = JSON.parse(text) as FlowState;
      return state.expires > now ? state : undefined;
    }
    return undefined;
  }
}

function decrypt(key: Buffer, providerId: string, bytes: Buffer): string | undefined {
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(providerId)).setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
}
