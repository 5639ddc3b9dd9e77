import { Logger } from '@nestjs/common';
import { LyingProvider } from '../../../test/support/lying-provider.js';
import { CLIENT } from '../../../test/support/oidc-provider.js';
import { useOidcProviders, REDIRECT } from '../../../test/support/oidc-providers.js';

const ADDRESS = '203.0.113.7';

const providersOf = useOidcProviders();
beforeAll(() => Logger.overrideLogger(false));

describe('a provider that lies', () => {
  let liar: LyingProvider;
  beforeAll(async () => (liar = await LyingProvider.start()));
  afterEach(() => liar.reset());
  afterAll(() => liar.close());

  /** Signs in with the claims. `parameters` are those of the callback. */
  async function signIn(claims: Record<string, unknown> = {}, parameters: Record<string, string> = {}) {
    const providers = providersOf({ issuer: liar.issuer });
    const { url, state } = await providers.start('p0');
    const sent = new URL(url).searchParams;
    liar.claims = { nonce: sent.get('nonce'), ...claims };
    const query = new URLSearchParams({ code: 'x', state: sent.get('state') ?? '', ...parameters });
    return (await providers.finish('p0', `${REDIRECT('p0')}?${query.toString()}`, state, ADDRESS)).identity;
  }

  const FAILED = { status: 401, detail: 'Signing in with Acme failed. Try again.' };
  const hour = 3_600;
  const now = () => Math.floor(Date.now() / 1_000);

  it('is believed while it tells the truth', async () => {
    expect(await signIn()).toMatchObject({ subject: 'ada', email: 'ada@example.com', emailVerified: true });
    expect(await signIn({}, { iss: liar.issuer })).toMatchObject({ subject: 'ada' });
    expect(await signIn({ aud: ['trivet', 'other'], azp: 'trivet' })).toMatchObject({ subject: 'ada' });
  });

  it.each<[string, () => Record<string, unknown>]>([
    ['the nonce of another sign-in', () => ({ nonce: 'x'.repeat(43) })],
    ['no nonce', () => ({ nonce: undefined })],
    ['another issuer', () => ({ iss: 'https://evil.example' })],
    ['another audience', () => ({ aud: 'other' })],
    ['several audiences, for another one', () => ({ aud: ['trivet', 'other'], azp: 'other' })],
    ['several audiences, for nobody', () => ({ aud: ['trivet', 'other'] })],
    ['a time that is over', () => ({ iat: now() - hour, exp: now() - 60 })],
    ['no end', () => ({ exp: undefined })],
    ['no beginning', () => ({ iat: undefined })],
    ['a time that has not begun', () => ({ nbf: now() + hour })],
    ['no subject', () => ({ sub: undefined })],
    ['an empty subject', () => ({ sub: '' })],
    ['a subject with a NUL', () => ({ sub: 'ada\0' })],
    ['a subject that is too long', () => ({ sub: 'a'.repeat(256) })],
    ['a subject that is not a text', () => ({ sub: 7 })],
  ])('with %s in its token is not believed', async (_, claims) => {
    await expect(signIn(claims())).rejects.toMatchObject(FAILED);
  });

  it.each(['none', 'foreign', 'secret'] as const)('with the signature %s is not believed', async (signature) => {
    liar.signature = signature;
    await expect(signIn()).rejects.toMatchObject(FAILED);
  });

  it('whose callback names another issuer is not believed, and is sent no code', async () => {
    liar.requests.length = 0;
    await expect(signIn({}, { iss: 'https://other.example' })).rejects.toMatchObject(FAILED);
    expect(liar.requests).not.toContain('/token');
  });

  it.each([
    [{ email: 'ada@example.com' }, 'ada@example.com', false],
    [{ email: 'ada@example.com', email_verified: false }, 'ada@example.com', false],
    [{ email: 'ada@example.com', email_verified: 'true' }, 'ada@example.com', false],
    [{ email: 'ada@example.com', email_verified: 1 }, 'ada@example.com', false],
    [{ email: 'ada@example.com', email_verified: true }, 'ada@example.com', true],
    [{ email: ['ada@example.com'], email_verified: true }, undefined, false],
    [{ email: 'ada@example.com\0', email_verified: true }, undefined, false],
    [{ email_verified: true }, undefined, false],
  ])('with %j verifies an address only if it says so', async (claims, email, emailVerified) => {
    liar.answers.set('/userinfo', { sub: 'ada' });
    expect(await signIn(claims)).toMatchObject({ email, emailVerified });
  });

  it('verifies no address of its token by what userinfo says', async () => {
    expect(await signIn({ email: 'boss@example.com' })).toMatchObject({
      email: 'boss@example.com',
      emailVerified: false,
    });
  });

  it('is not believed if userinfo is of another person', async () => {
    liar.answers.set('/userinfo', { sub: 'boss', email: 'boss@example.com', email_verified: true });
    await expect(signIn()).rejects.toMatchObject(FAILED);
  });

  it('may change its keys at any time', async () => {
    const providers = providersOf({ issuer: liar.issuer });
    for (let round = 0; round < 2; round++) {
      const { url, state } = await providers.start('p0');
      const sent = new URL(url).searchParams;
      liar.claims = { nonce: sent.get('nonce') };
      const callback = `${REDIRECT('p0')}?code=x&state=${sent.get('state')}`;
      expect(await providers.finish('p0', callback, state, ADDRESS)).toMatchObject({ identity: { subject: 'ada' } });
      await liar.rotate();
      jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 2_000);
    }
    jest.restoreAllMocks();
  });

  it('that names another issuer, or no keys, is not asked', async () => {
    for (const change of [{ issuer: 'https://evil.example' }, { jwks_uri: undefined }]) {
      liar.answers.set('/.well-known/openid-configuration', { ...liar.metadata(), ...change });
      await expect(signIn()).rejects.toMatchObject({ status: 503 });
    }
  });

  it.each(['jwks_uri', 'token_endpoint', 'userinfo_endpoint'])(
    'leads to no private host that the operator did not choose: %s',
    async (name) => {
      const inside = liar.metadata()[name as 'jwks_uri'].replace('localhost', '127.0.0.1');
      liar.answers.set('/.well-known/openid-configuration', { ...liar.metadata(), [name]: inside });
      liar.requests.length = 0;
      await expect(signIn()).rejects.toMatchObject({ status: 503 });
      expect(liar.requests).not.toContain(new URL(inside).pathname);
    },
  );

  it('gets the secret in the way that it asks for', async () => {
    const received: (string | undefined)[] = [];
    liar.answers.set('/token', (request, response) => {
      received.push(request.headers.authorization);
      request.on('data', (chunk: Buffer) => received.push(chunk.toString()));
      request.on('end', () => response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"x"}'));
    });
    await expect(signIn()).rejects.toMatchObject(FAILED);
    const methods = { token_endpoint_auth_methods_supported: ['client_secret_post'] };
    liar.answers.set('/.well-known/openid-configuration', { ...liar.metadata(), ...methods });
    await expect(signIn()).rejects.toMatchObject(FAILED);
    const [basic, body, none, withSecret] = received;
    expect(Buffer.from(basic?.slice('Basic '.length) ?? '', 'base64').toString()).toBe(
      `trivet:${CLIENT.client_secret.replaceAll('-', '%2D')}`,
    );
    expect(body).not.toContain('client_secret');
    expect(none).toBeUndefined();
    expect(withSecret).toContain('client_secret=a-secret-of-the-test');
  });

  it.each(['/.well-known/openid-configuration', '/token', '/keys', '/userinfo'])(
    'whose answer at %s is huge, is no JSON or breaks off is not believed',
    async (path) => {
      const bad = [
        'x'.repeat(300_000),
        `{"issuer":"${'x'.repeat(300_000)}"}`,
        'nonsense',
        '[]',
        'null',
        '',
        `${'['.repeat(100_000)}`,
      ];
      for (const text of bad) {
        liar.answers.set(path, (_, response) => {
          response.writeHead(200, { 'content-type': 'application/json' }).end(text);
        });
        await expect(signIn()).rejects.toMatchObject({ code: expect.stringMatching(/^(unauthorized|unavailable)$/) });
      }
      liar.answers.set(path, ({ socket }) => void socket.destroy());
      await expect(signIn()).rejects.toMatchObject({ status: 503 });
    },
  );

  it('that redirects is not followed', async () => {
    liar.answers.set('/token', (_, response) => {
      response.writeHead(307, { location: `${liar.issuer}/elsewhere` }).end();
    });
    liar.requests.length = 0;
    await expect(signIn()).rejects.toMatchObject(FAILED);
    expect(liar.requests).not.toContain('/elsewhere');
  });
});
