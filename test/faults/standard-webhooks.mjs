/**
 * The receiver's side of the Standard Webhooks specification (https://www.standardwebhooks.com), for symmetric signatures only. Written
 * only from its sections "Signature scheme", "Webhook headers" and "Verifying webhook authenticity". It shares no code with the service or
 * the reference library, so it can reveal mistakes common to both.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_S = 5 * 60;
const SCHEME = 'v1';
/** "Recommended to be base64 encoded, prefixed with whsec_". */
const SECRET_PREFIX = 'whsec_';

/** The key's bytes: a secret with the prefix is base64, any other is used as it is. */
export function keyOf(secret) {
  return secret.startsWith(SECRET_PREFIX)
    ? Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
    : Buffer.from(secret, 'utf8');
}

/** Why a request is invalid; undefined if it is valid. `body` is the raw body; `headers` have lower-case names. */
export function problemOf({ headers, body }, secret, nowSeconds = Math.floor(Date.now() / 1000)) {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  const signatures = headers['webhook-signature'];
  if (!id || !timestamp || !signatures) return 'a header is missing';
  if (id.includes('.')) return 'the ID contains a full stop, which separates the signed parts';
  if (!/^\d+$/.test(timestamp)) return 'the timestamp is not an integer';
  if (Math.abs(nowSeconds - Number(timestamp)) > TOLERANCE_S) return 'the timestamp is too old or too new';
  const expected = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body).digest();
  const isRight = signatures.split(' ').some((signature) => {
    const [scheme, encoded, ...rest] = signature.split(',');
    if (scheme !== SCHEME || encoded === undefined || rest.length > 0) return false;
    const given = Buffer.from(encoded, 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return isRight ? undefined : 'no signature is valid';
}
