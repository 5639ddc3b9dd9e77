import { Logger } from '@nestjs/common';
import { LyingProvider } from '../../../test/support/lying-provider.js';
import { browse, CLIENT, startOidcProvider } from '../../../test/support/oidc-provider.js';
import { Config } from '../../config/config.js';
import type { OidcProvider } from '../../config/oidc-providers.js';
import type { PublicUrl } from '../../http/public-url.js';
import { OperatorClient } from '../../outbound/operator-client.js';
import { identityOf } from './identity.js';
import { OidcProviders } from './oidc-providers.js';
import { ProviderClient } from './provider-client.js';
import { isUnreachable } from './provider-fetch.js';

const BASE = 'http://localhost:3000';
const KEY = Buffer.alloc(32, 7);
const ADDRESS = '203.0.113.7';
const TENANT = { id: 'ten_acme', roles: [], groupsClaim: 'groups' };
const REDIRECT = (id: string) => `${BASE}/v1/oidc/${id}/callback`;

const opened: OidcProviders[] = [];

function providersOf(...list: (Partial<OidcProvider> & { issuer: string })[]): OidcProviders {
  const oidcProviders = list.map((provider, index) => ({
    id: `p${index}`,
    name: 'Acme',
    clientId: CLIENT.client_id,
    clientSecret: CLIENT.client_secret,
    scopes: ['openid', 'email', 'profile'],
    tenants: [TENANT],
    ...provider,
  }));
  const config = Object.assign(new Config(), { encryptionKeys: [KEY], outboundAllowedHosts: [], oidcProviders });
  const made = new OidcProviders(config, { base: BASE } as PublicUrl);
  opened.push(made);
  return made;
}

beforeAll(() => Logger.overrideLogger(false));
afterEach(() => Promise.all(opened.splice(0).map((each) => each.onApplicationShutdown())));

describe('signing in with a provider of OpenID Connect', () => {
  let provider: Awaited<ReturnType<typeof startOidcProvider>>;
  beforeAll(async () => (provider = await startOidcProvider(['p0', 'p1'].map(REDIRECT))));
  afterAll(() => provider.close());

  /** Signs in as a browser does, up to the callback. */
  async function upToCallback(providers: OidcProviders, returnTo?: string) {
    const { url, state } = await providers.start('p0', returnTo);
    return { callback: await browse(url, REDIRECT('p0')), state };
  }

  it('tells who the person is, what is known of them, and the page to go on with', async () => {
    const claims = { email: 'ada@example.com', email_verified: true, name: 'Ada King', groups: ['staff', 'math'] };
    provider.signInAs({ id: 'ada', claims });
    const providers = providersOf({ issuer: provider.issuer, scopes: ['openid', 'email', 'profile', 'groups'] });
    const { callback, state } = await upToCallback(providers, '/console/ten_acme/media?x=1');

    const { groups, ...identity } = await providers.finish('p0', callback, state, ADDRESS);
    expect(identity).toEqual({
      issuer: provider.issuer,
      subject: 'ada',
      email: 'ada@example.com',
      emailVerified: true,
      name: 'Ada King',
      returnTo: '/console/ten_acme/media?x=1',
    });
    expect(groups('groups')).toEqual(['staff', 'math']);
  });

  it('asks with a code, PKCE, state and nonce', async () => {
    const { url, state } = await providersOf({ issuer: provider.issuer }).start('p0');
    const { searchParams } = new URL(url);
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: 'trivet',
      response_type: 'code',
      redirect_uri: 'http://localhost:3000/v1/oidc/p0/callback',
      scope: 'openid email profile',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(state).toMatch(/^[\w-]{100,4000}$/);
    for (const secret of [searchParams.get('state'), searchParams.get('nonce')]) expect(state).not.toContain(secret);
  });

  it.each([
    ['no cookie', () => undefined],
    ['an empty cookie', () => ''],
    ['a cookie that was changed', (state: string) => `A${state.slice(1)}`],
    ['a cookie that was cut', (state: string) => state.slice(0, -4)],
    ['nonsense', () => 'x'.repeat(10_000)],
  ])('fails with %s', async (_, change) => {
    const providers = providersOf({ issuer: provider.issuer });
    const { callback, state } = await upToCallback(providers);
    await expect(providers.finish('p0', callback, change(state), ADDRESS)).rejects.toMatchObject({ status: 401 });
  });

  it('fails with the cookie of another browser, of another provider, and after ten minutes', async () => {
    const providers = providersOf({ issuer: provider.issuer }, { issuer: provider.issuer });
    const { callback, state } = await upToCallback(providers);
    const other = await providers.start('p0');
    await expect(providers.finish('p0', callback, other.state, ADDRESS)).rejects.toMatchObject({ status: 401 });
    await expect(providers.finish('p1', callback, state, ADDRESS)).rejects.toMatchObject({ status: 401 });
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 600_001);
    await expect(providers.finish('p0', callback, state, ADDRESS)).rejects.toMatchObject({ status: 401 });
    jest.restoreAllMocks();
    expect(await providers.finish('p0', callback, state, ADDRESS)).toMatchObject({ subject: 'ada' });
  });

  it('fails with a code that was used, was made up, or is that of another sign-in', async () => {
    const providers = providersOf({ issuer: provider.issuer });
    const [one, other] = [await upToCallback(providers), await upToCallback(providers)];
    const codeOf = (url: string) => new URL(url).searchParams.get('code') ?? '';
    const stolen = one.callback.replace(codeOf(one.callback), codeOf(other.callback));
    await expect(providers.finish('p0', stolen, one.state, ADDRESS)).rejects.toMatchObject({ status: 401 });
    const madeUp = one.callback.replace(codeOf(one.callback), 'made-up');
    await expect(providers.finish('p0', madeUp, one.state, ADDRESS)).rejects.toMatchObject({ status: 401 });
    await providers.finish('p0', one.callback, one.state, ADDRESS);
    await expect(providers.finish('p0', one.callback, one.state, ADDRESS)).rejects.toMatchObject({ status: 401 });
  });

  it('fails if the provider refuses, with the wrong secret, and without parameters', async () => {
    const providers = providersOf({ issuer: provider.issuer }, { issuer: provider.issuer, clientSecret: 'wrong' });
    const { state } = await providers.start('p0');
    for (const query of ['', '?', '?error=access_denied', '?code=', '?state=x&code=y']) {
      await expect(providers.finish('p0', REDIRECT('p0') + query, state, ADDRESS)).rejects.toMatchObject({
        status: 401,
      });
    }
    const wrong = await providers.start('p1');
    const callback = await browse(wrong.url, REDIRECT('p1'));
    await expect(providers.finish('p1', callback, wrong.state, ADDRESS)).rejects.toMatchObject({
      status: 401,
      detail: 'Signing in with Acme failed. Try again.',
    });
  });

  it('leads to no page but those of the console', async () => {
    const providers = providersOf({ issuer: provider.issuer });
    for (const returnTo of ['//evil.example', '/console/../..', 'https://evil.example/console', '/console\\x']) {
      await expect(providers.start('p0', returnTo)).rejects.toMatchObject({ status: 400 });
    }
  });

  it('with an unknown provider is 404', async () => {
    const providers = providersOf({ issuer: provider.issuer });
    expect(providers.offered).toEqual([{ id: 'p0', name: 'Acme' }]);
    await expect(providers.start('p9')).rejects.toMatchObject({ status: 404 });
    await expect(providers.finish('constructor', REDIRECT('p0'), '', ADDRESS)).rejects.toMatchObject({ status: 404 });
  });
});

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
    return providers.finish('p0', `${REDIRECT('p0')}?${query.toString()}`, state, ADDRESS);
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
      expect(await providers.finish('p0', callback, state, ADDRESS)).toMatchObject({ subject: 'ada' });
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

describe('a provider that does not answer', () => {
  let silent: LyingProvider;
  beforeAll(async () => (silent = await LyingProvider.start()));
  afterAll(() => silent.close());

  const DISCOVERY = '/.well-known/openid-configuration';
  const flow = { state: 's', nonce: 'n', verifier: 'v'.repeat(43), returnTo: '/console', expires: Infinity };
  const clientOf = (timeoutMs: number) => {
    const { host } = new URL(silent.issuer);
    const outbound = new OperatorClient({ allowedHosts: [host] });
    const provider = { id: 'p0', name: 'Acme', issuer: silent.issuer, clientId: 'trivet', clientSecret: 's' };
    return new ProviderClient({ ...provider, scopes: ['openid'], tenants: [TENANT] }, outbound, timeoutMs);
  };

  it('is given up after a time, is asked once for everybody, and not again at once', async () => {
    silent.answers.set(DISCOVERY, () => undefined);
    silent.requests.length = 0;
    const client = clientOf(200);
    const all = Array.from({ length: 5 }, () => client.authorizationUrl(REDIRECT('p0'), flow));
    for (const { reason } of (await Promise.allSettled(all)) as PromiseRejectedResult[]) {
      expect(isUnreachable(reason)).toBe(true);
    }
    await expect(client.authorizationUrl(REDIRECT('p0'), flow)).rejects.toThrow();
    expect(silent.requests).toEqual([DISCOVERY]);
    silent.answers.clear();
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 2_001);
    expect(await client.authorizationUrl(REDIRECT('p0'), flow)).toContain('code_challenge_method=S256');
    jest.restoreAllMocks();
    await client.close();
  });

  it('is taken for what it said before', async () => {
    const client = clientOf(200);
    const before = await client.authorizationUrl(REDIRECT('p0'), flow);
    silent.answers.set(DISCOVERY, () => undefined);
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_001);
    expect(await client.authorizationUrl(REDIRECT('p0'), flow)).toBe(before);
    jest.restoreAllMocks();
    silent.answers.clear();
    await client.close();
  });
});

describe('roles by a provider', () => {
  const roles = [
    ['admins', 'owner'],
    ['staff', 'editor'],
  ] as const;
  const providers = () =>
    providersOf({
      issuer: 'https://id.example',
      tenants: [
        { id: 'ten_a', roles, groupsClaim: 'groups' },
        { id: 'ten_b', roles, groupsClaim: 'realm_access.roles', defaultRole: 'viewer' },
        { id: 'ten_c', roles: [], groupsClaim: 'groups', defaultRole: 'author' },
      ],
    });
  const rolesOf = (claims: Record<string, unknown>) =>
    providers()
      .rolesOf('p0', identityOf('https://id.example', { sub: 'ada', ...claims })!)
      .map(({ role }) => role);

  it.each([
    [{}, [undefined, 'viewer', 'author']],
    [{ groups: ['staff'] }, ['editor', 'viewer', 'author']],
    [{ groups: ['staff', 'admins'], realm_access: { roles: ['staff'] } }, ['owner', 'editor', 'author']],
    [{ groups: 'staff' }, ['editor', 'viewer', 'author']],
    [{ groups: [['staff'], 7, null, { staff: 1 }, 'STAFF'] }, [undefined, 'viewer', 'author']],
    [{ groups: null, 'realm_access.roles': ['admins'] }, [undefined, 'owner', 'author']],
    [{ groups: { 0: 'staff' }, realm_access: 'staff' }, [undefined, 'viewer', 'author']],
    [{ groups: ['__proto__', 'constructor'] }, [undefined, 'viewer', 'author']],
  ])('of %j are %j', (claims, expected) => expect(rolesOf(claims)).toEqual(expected));
});
