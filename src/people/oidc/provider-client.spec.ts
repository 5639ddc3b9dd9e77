import { LyingProvider } from '../../../test/support/lying-provider.js';
import { REDIRECT, TENANT } from '../../../test/support/oidc-providers.js';
import { OperatorClient } from '../../outbound/operator-client.js';
import { ProviderClient } from './provider-client.js';
import { isUnreachable } from './provider-fetch.js';

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
