import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { Problem } from '../../errors/problem.js';
import { isRecord } from '../../fields/record.js';

/** Longer than any authenticator's answer. */
const MAX_LENGTH = 16_384;
/** A credential ID has at most 1,023 bytes (WebAuthn, section 4). */
const MAX_ID_LENGTH = 1_364;
const MAX_TRANSPORTS = 10;
const BASE64URL = /^[\w-]+$/;
const TRANSPORT = /^[a-z-]{1,32}$/;

/** The browser's answer to a sign-in with a passkey, as `@simplewebauthn/browser` makes it. */
export type Assertion = AuthenticationResponseJSON;

/** Reads the answer of `startRegistration` of `@simplewebauthn/browser`. Throws a 422 if it is something else. */
export function readCreation(value: unknown): RegistrationResponseJSON {
  const { id, response } = credentialIn(value);
  const transports = Array.isArray(response['transports']) ? (response['transports'] as unknown[]) : [];
  return {
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      clientDataJSON: textIn(response, 'clientDataJSON'),
      attestationObject: textIn(response, 'attestationObject'),
      transports: transports.filter(isTransport).slice(0, MAX_TRANSPORTS),
    },
  };
}

/** Reads the answer of `startAuthentication` of `@simplewebauthn/browser`. Throws a 422 if it is something else. */
export function readAssertion(value: unknown): Assertion {
  const { id, response } = credentialIn(value);
  return {
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      clientDataJSON: textIn(response, 'clientDataJSON'),
      authenticatorData: textIn(response, 'authenticatorData'),
      signature: textIn(response, 'signature'),
      userHandle: textIn(response, 'userHandle'),
    },
  };
}

function credentialIn(value: unknown): { id: string; response: Record<string, unknown> } {
  if (!isRecord(value)) throw notAnAnswer();
  const { id, rawId, type, response } = value;
  if (typeof id !== 'string' || id.length > MAX_ID_LENGTH || !BASE64URL.test(id)) throw notAnAnswer();
  if (rawId !== id || type !== 'public-key' || !isRecord(response)) throw notAnAnswer();
  return { id, response };
}

function textIn(response: Record<string, unknown>, name: string): string {
  const text = response[name];
  if (typeof text !== 'string' || text.length > MAX_LENGTH || !BASE64URL.test(text)) throw notAnAnswer();
  return text;
}

type Transport = NonNullable<RegistrationResponseJSON['response']['transports']>[number];

function isTransport(value: unknown): value is Transport {
  return typeof value === 'string' && TRANSPORT.test(value);
}

function notAnAnswer(): Problem {
  const message = 'passkey must be the answer of the browser, as @simplewebauthn/browser makes it.';
  return Problem.invalid([{ path: 'passkey', code: 'format', message }]);
}
