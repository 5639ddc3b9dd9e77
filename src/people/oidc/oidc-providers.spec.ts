import { Logger } from '@nestjs/common';
import { browse, startOidcProvider } from '../../../test/support/oidc-provider.js';
import { useOidcProviders, REDIRECT } from '../../../test/support/oidc-providers.js';
import { identityOf } from './identity.js';

const ADDRESS = '203.0.113.7';

const providersOf = useOidcProviders();
beforeAll(() => Logger.overrideLogger(false));

describe('signing in with a provider of OpenID Connect', () => {
  let provider: Awaited<ReturnType<typeof startOidcProvider>>;
  beforeAll(async () => (provider = await startOidcProvider(['p0', 'p1'].map(REDIRECT))));
  afterAll(() => provider.close());

  /** Signs in as a browser does, up to the callback. */
  async function upToCallback(providers: ReturnType<typeof providersOf>, returnTo?: string) {
    const { url, state } = await providers.start('p0', returnTo);
    return { callback: await browse(url, REDIRECT('p0')), state };
  }

  it('tells who the person is, what is known of them, and the page to go on with', async () => {
    const claims = { email: 'ada@example.com', email_verified: true, name: 'Ada King', groups: ['staff', 'math'] };
    provider.signInAs({ id: 'ada', claims });
    const providers = providersOf({ issuer: provider.issuer, scopes: ['openid', 'email', 'profile', 'groups'] });
    const { callback, state } = await upToCallback(providers, '/console/ten_acme/media?x=1');

    const { identity, returnTo } = await providers.finish('p0', callback, state, ADDRESS);
    const { groups, ...known } = identity;
    expect(returnTo).toBe('/console/ten_acme/media?x=1');
    expect(known).toEqual({
      issuer: provider.issuer,
      subject: 'ada',
      email: 'ada@example.com',
      emailVerified: true,
      name: 'Ada King',
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
    expect(await providers.finish('p0', callback, state, ADDRESS)).toMatchObject({ identity: { subject: 'ada' } });
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
      .map(({ byGroup, byDefault }) => byGroup ?? byDefault);

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
