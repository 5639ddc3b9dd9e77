import { Config } from '../../src/config/config.js';
import type { OidcProvider } from '../../src/config/signing-in/oidc-providers.js';
import type { PublicUrl } from '../../src/http/public-url.js';
import { OidcProviders } from '../../src/people/oidc/oidc-providers.js';
import { CLIENT } from './oidc-provider.js';

const BASE = 'http://localhost:3000';
const KEY = Buffer.alloc(32, 7);
export const TENANT = { id: 'ten_acme', roles: [], groupsClaim: 'groups' };
/** The redirect URI of a provider. */
export const REDIRECT = (id: string) => `${BASE}/v1/oidc/${id}/callback`;

/** Makes services that know these providers as p0, p1, …, and closes them after each test. */
export function useOidcProviders() {
  const opened: OidcProviders[] = [];
  afterEach(() => Promise.all(opened.splice(0).map((each) => each.onApplicationShutdown())));
  return function providersOf(...list: (Partial<OidcProvider> & { issuer: string })[]): OidcProviders {
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
    const made = new OidcProviders(config, { console: BASE } as PublicUrl);
    opened.push(made);
    return made;
  };
}
