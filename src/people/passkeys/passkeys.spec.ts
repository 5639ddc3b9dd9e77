import { createHash, randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { FLAGS, VirtualAuthenticator } from '../../../test/support/virtual-authenticator.js';
import { Config } from '../../config/config.js';
import type { PublicUrl } from '../../http/public-url.js';
import type { ChallengePurpose } from './passkey-challenges.js';
import { readAssertion } from './passkey-answers.js';
import { Passkeys } from './passkeys.js';

const ORIGIN = 'https://console.example.com';
const KEY = Buffer.alloc(32, 7);
const OWNER = { userHandle: randomBytes(32), name: 'ada@example.com', displayName: 'Ada' };
const CREATE: ChallengePurpose = { create: 'person 1' };

function passkeysAt(console: string, encryptionKeys = [KEY]): Passkeys {
  return new Passkeys(Object.assign(new Config(), { encryptionKeys }), { console } as PublicUrl);
}

beforeAll(() => Logger.overrideLogger(false));

describe('passkeys', () => {
  it.each([
    ['https://console.example.com', true],
    ['https://cms.example.com/base', true],
    ['http://localhost:3000', true],
    ['http://trivet.localhost:3000', true],
    ['http://127.0.0.1:3000', false],
    ['https://10.1.2.3', false],
    ['https://[2001:db8::1]', false],
    ['http://cms.example.com', false],
  ])('at %s are offered: %s', async (console, offered) => {
    const passkeys = passkeysAt(console);
    expect(passkeys.offered).toBe(offered);
    if (offered) expect(await passkeys.requestOptions()).toMatchObject({ rpId: new URL(console).hostname });
    else await expect(passkeys.requestOptions()).rejects.toMatchObject({ status: 409 });
  });

  it('are asked for as those that are found without a name, and verify the person', async () => {
    const passkeys = passkeysAt(ORIGIN);
    expect(await passkeys.creationOptions(OWNER, ['AAAA'], CREATE)).toMatchObject({
      rp: { id: 'console.example.com', name: 'Trivet' },
      user: { id: OWNER.userHandle.toString('base64url'), name: 'ada@example.com', displayName: 'Ada' },
      excludeCredentials: [{ id: 'AAAA', type: 'public-key' }],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
      timeout: 300_000,
    });
    const { allowCredentials, userVerification } = await passkeys.requestOptions();
    expect({ allowCredentials, userVerification }).toEqual({ userVerification: 'required' });
  });
});

describe('a new passkey', () => {
  const passkeys = passkeysAt(ORIGIN);
  const options = (purpose: ChallengePurpose = CREATE) => passkeys.creationOptions(OWNER, [], purpose);
  const authenticator = () => new VirtualAuthenticator(ORIGIN);
  const REFUSED = { status: 422, errors: [{ path: 'passkey', code: 'format' }] };

  it('is accepted, with the challenge that must not be used again', async () => {
    const device = authenticator();
    const asked = await options();
    const { passkey, challenge } = await passkeys.verifyCreation(device.create(asked), CREATE);
    expect(passkey).toMatchObject({
      credentialId: device.credentialId.toString('base64url'),
      counter: 0,
      transports: ['internal', 'hybrid'],
      backedUp: false,
    });
    expect(challenge.hash).toEqual(createHash('sha256').update(Buffer.from(asked.challenge, 'base64url')).digest());
    expect(challenge.expiresAt.getTime()).toBeGreaterThan(Date.now() + 290_000);
    expect(challenge.expiresAt.getTime()).toBeLessThanOrEqual(Date.now() + 300_000);
  });

  it('may be backed up', async () => {
    const flags = FLAGS.present | FLAGS.verified | FLAGS.backedUp | FLAGS.attested;
    const { passkey } = await passkeys.verifyCreation(authenticator().create(await options(), { flags }), CREATE);
    expect(passkey.backedUp).toBe(true);
  });

  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['another port', { origin: `${ORIGIN}:8443` }],
    ['http', { origin: 'http://console.example.com' }],
    ['another relying party', { rpId: 'example.com' }],
    ['a person who was not verified', { flags: FLAGS.present | FLAGS.attested }],
    ['nobody present', { flags: FLAGS.verified | FLAGS.attested }],
    ['no key', { flags: FLAGS.present | FLAGS.verified }],
    ['a sign-in', { type: 'webauthn.get' }],
    ['a frame of another site', { crossOrigin: true }],
    ['a challenge of its own', { challenge: randomBytes(54).toString('base64url') }],
    ['an attestation with certificates', { attestation: { format: 'packed', statement: withCertificates() } }],
    ['an attestation of another format', { attestation: { format: 'tpm', statement: Buffer.from([0xa0]) } }],
    ['no statement', { attestation: { format: 'packed', statement: Buffer.from([0xf6]) } }],
  ])('of %s is refused', async (_, change) => {
    const answer = authenticator().create(await options(), change);
    await expect(passkeys.verifyCreation(answer, CREATE)).rejects.toMatchObject(REFUSED);
  });

  it.each<[string, ChallengePurpose]>([
    ['another person', { create: 'person 2' }],
    ['an invitation', { invitation: 'person 1' }],
    ['signing in', 'sign in'],
  ])('for %s is refused here', async (_, purpose) => {
    const answer = authenticator().create(await options(purpose));
    await expect(passkeys.verifyCreation(answer, CREATE)).rejects.toMatchObject(REFUSED);
  });

  it('is refused after five minutes', async () => {
    const answer = authenticator().create(await options());
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(now + 300_001);
    await expect(passkeys.verifyCreation(answer, CREATE)).rejects.toMatchObject(REFUSED);
    clock.mockReturnValue(now + 299_000);
    await passkeys.verifyCreation(answer, CREATE);
    jest.restoreAllMocks();
  });

  it('is refused if any byte of its challenge is another one, or is written in another way', async () => {
    const asked = await options();
    const bytes = Buffer.from(asked.challenge, 'base64url');
    for (let index = 0; index < bytes.length; index++) {
      const forged = Buffer.from(bytes);
      forged[index]! ^= 1;
      const answer = authenticator().create(asked, { challenge: forged.toString('base64url') });
      await expect(passkeys.verifyCreation(answer, CREATE)).rejects.toMatchObject(REFUSED);
    }
    for (const challenge of [`${asked.challenge}=`, ` ${asked.challenge}`, bytes.toString('base64')]) {
      if (challenge === asked.challenge) continue;
      await expect(passkeys.verifyCreation(authenticator().create(asked, { challenge }), CREATE)).rejects.toThrow();
    }
  });

  it('is accepted with a challenge of the previous encryption key', async () => {
    const asked = await options();
    const rotated = passkeysAt(ORIGIN, [Buffer.alloc(32, 8), KEY]);
    await rotated.verifyCreation(authenticator().create(asked), CREATE);
    const other = passkeysAt(ORIGIN, [Buffer.alloc(32, 8)]);
    await expect(other.verifyCreation(authenticator().create(asked), CREATE)).rejects.toMatchObject(REFUSED);
  });

  it('is refused with 422 if it is anything else', async () => {
    const good = authenticator().create(await options());
    const { response } = good;
    const bad: unknown[] = [
      ...[undefined, null, 'x', 7, [], {}],
      ...[
        { ...good, id: 7 },
        { ...good, rawId: 'AAAA' },
        { ...good, type: 'password' },
        { ...good, response: null },
      ],
      ...[
        { ...good, id: 'AAAA', rawId: 'AAAA' },
        { ...good, id: 'A'.repeat(2_000), rawId: 'A'.repeat(2_000) },
      ],
      { ...good, response: { ...response, clientDataJSON: 'A'.repeat(20_000) } },
      { ...good, response: { ...response, clientDataJSON: '***' } },
      { ...good, response: { ...response, clientDataJSON: Buffer.from('null').toString('base64url') } },
      { ...good, response: { ...response, attestationObject: Buffer.alloc(9_000, 0x81).toString('base64url') } },
      { ...good, response: { ...response, attestationObject: Buffer.from('a1', 'hex').toString('base64url') } },
      { ...good, response: { ...response, attestationObject: response.attestationObject.slice(0, 150) } },
    ];
    for (const value of bad) {
      await expect(passkeys.verifyCreation(value, CREATE)).rejects.toMatchObject({ status: 422 });
    }
  });
});

describe('a sign-in with a passkey', () => {
  const passkeys = passkeysAt(ORIGIN);

  async function registered(counts = false) {
    const device = new VirtualAuthenticator(ORIGIN, counts);
    const options = await passkeys.creationOptions(OWNER, [], CREATE);
    const { passkey } = await passkeys.verifyCreation(device.create(options), CREATE);
    return { device, stored: { ...passkey, userHandle: OWNER.userHandle } };
  }

  it('succeeds, and tells the counter and the challenge', async () => {
    const { device, stored } = await registered(true);
    const asked = await passkeys.requestOptions();
    const result = await passkeys.verifyRequest(readAssertion(device.get(asked)), stored);
    expect(result).toMatchObject({ counter: 1, backedUp: false });
    expect(result?.challenge.hash).toEqual(
      createHash('sha256').update(Buffer.from(asked.challenge, 'base64url')).digest(),
    );
  });

  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['a person who was not verified', { flags: FLAGS.present }],
    ['nobody present', { flags: FLAGS.verified }],
    ['a frame of another site', { crossOrigin: true }],
    ['another person', { userHandle: randomBytes(32).toString('base64url') }],
    ['the key of another passkey', { signer: new VirtualAuthenticator(ORIGIN) }],
    ['a creation', { type: 'webauthn.create' }],
    ['a challenge of its own', { challenge: randomBytes(54).toString('base64url') }],
  ])('is refused for %s', async (_, change) => {
    const { device, stored } = await registered();
    const answer = readAssertion(device.get(await passkeys.requestOptions(), change));
    expect(await passkeys.verifyRequest(answer, stored)).toBeUndefined();
  });

  it('is refused for a challenge of a creation, and after five minutes', async () => {
    const { device, stored } = await registered();
    const { challenge } = await passkeys.creationOptions(OWNER, [], CREATE);
    const answer = readAssertion(device.get(await passkeys.requestOptions(), { challenge }));
    expect(await passkeys.verifyRequest(answer, stored)).toBeUndefined();

    const late = readAssertion(device.get(await passkeys.requestOptions()));
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 300_001);
    expect(await passkeys.verifyRequest(late, stored)).toBeUndefined();
    jest.restoreAllMocks();
  });

  it('is refused if it names another passkey, whoever signed it', async () => {
    const [one, other] = [await registered(), await registered()];
    const answer = readAssertion(one.device.get(await passkeys.requestOptions()));
    expect(await passkeys.verifyRequest(answer, other.stored)).toBeUndefined();
    const { credentialId } = other.stored;
    const renamed = readAssertion({ ...answer, id: credentialId, rawId: credentialId });
    expect(await passkeys.verifyRequest(renamed, other.stored)).toBeUndefined();
  });

  it('is refused if the counter goes back or stands still, unless the authenticator does not count', async () => {
    const { device, stored } = await registered();
    const verify = async (counter: number, before: number) => {
      const answer = readAssertion(device.get(await passkeys.requestOptions(), { counter }));
      return (await passkeys.verifyRequest(answer, { ...stored, counter: before }))?.counter;
    };
    expect(await verify(0, 0)).toBe(0);
    expect(await verify(6, 5)).toBe(6);
    expect(await verify(5, 5)).toBeUndefined();
    expect(await verify(4, 5)).toBeUndefined();
    expect(await verify(0, 5)).toBeUndefined();
  });

  it('is refused with 422 if it is not the answer of a browser', async () => {
    const { device } = await registered();
    const good = device.get(await passkeys.requestOptions());
    const anonymous = { ...good.response, userHandle: undefined };
    for (const value of [undefined, 'x', {}, { ...good, id: '' }, { ...good, response: anonymous }]) {
      expect(() => readAssertion(value)).toThrow(expect.objectContaining({ status: 422 }));
    }
  });
});

/** An attestation statement in CBOR with `alg`, `sig` and `x5c`. */
function withCertificates(): Buffer {
  return Buffer.from('a3' + '63616c6726' + '6373696743010203' + '637835638143010203', 'hex');
}
