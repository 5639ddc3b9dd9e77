import { createHash, randomBytes } from 'node:crypto';

const PREFIX = 'tvk_';
const SECRET_BYTES = 32;
const CHECK_LENGTH = 6;
const FORMAT = /^(tvk_[\w-]{43})([\w-]{6})$/;

/** Returns a new key: `tvk_`, 256 random bits, and a checksum, by which a mistyped or invented key is refused without a query. */
export function newKeyText(): string {
  const body = PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
  return body + checksum(body);
}

/** Whether the text has the format of the keys that the service makes. */
export function isKeyText(text: string): boolean {
  const [, body, check] = FORMAT.exec(text) ?? [];
  return body !== undefined && check === checksum(body);
}

/** SHA-256 in base64, as keys are stored and looked up. */
export function hashOfKey(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

function checksum(body: string): string {
  return createHash('sha256').update(body).digest('base64url').slice(0, CHECK_LENGTH);
}
