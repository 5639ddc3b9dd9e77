import { createHash, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;
const CHECK_LENGTH = 6;
const FORMAT = /^([a-z]{3}_)([\w-]{43})([\w-]{6})$/;

/** The secrets that the service makes, by their first characters: API keys, sessions, and the tokens of invitations, resets and sign-in links. */
export type SecretPrefix = 'tvk_' | 'tvs_' | 'tvi_' | 'tvr_' | 'tvl_';

/** Returns a new secret: the prefix, 256 random bits, and a checksum, by which a mistyped or invented one is refused without a query. */
export function newSecretText(prefix: SecretPrefix): string {
  const body = prefix + randomBytes(SECRET_BYTES).toString('base64url');
  return body + checksum(body);
}

/** Whether the text has the format of the secrets that the service makes with the prefix. */
export function isSecret(prefix: SecretPrefix, text: string): boolean {
  const [, own, body = '', check] = FORMAT.exec(text) ?? [];
  return own === prefix && check === checksum(own + body);
}

/** SHA-256 in base64, as secrets are stored and looked up. */
export function hashOfSecret(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

function checksum(body: string): string {
  return createHash('sha256').update(body).digest('base64url').slice(0, CHECK_LENGTH);
}
