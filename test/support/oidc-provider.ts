import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type Provider from 'oidc-provider';
import type { ClientMetadata, Configuration } from 'oidc-provider';

/** A person who is signed in without being asked. */
interface Account {
  id: string;
  claims: Record<string, unknown>;
}

export const CLIENT = { client_id: 'trivet', client_secret: 'a-secret-of-the-test' };

/** A certified provider of OpenID Connect on this machine, which signs `account` in. Claims beyond `sub` are those of `userinfo` alone. */
export async function startOidcProvider(redirectUris: readonly string[]) {
  let account: Account = { id: 'ada', claims: {} };
  // The provider must know its address before it can handle requests.
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
  const server = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const provider = await providerAt(issuer, { redirect_uris: [...redirectUris], ...CLIENT }, () => account);
  const callback = provider.callback();
  handle = (request, response) => {
    const isInteraction = request.url?.startsWith('/interaction/');
    void (isInteraction ? signIn(provider, account, request, response) : callback(request, response));
  };
  return {
    issuer,
    signInAs: (other: Account) => (account = other),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

function providerAt(issuer: string, client: ClientMetadata, account: () => Account): Promise<Provider> {
  return quietly(issuer, {
    clients: [client],
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...account().claims }) }),
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    scopes: ['openid', 'email', 'profile', 'groups'],
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    cookies: { keys: ['test'] },
    ttl: { AccessToken: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
  });
}

/** It warns of what matters only outside of tests. */
async function quietly(issuer: string, configuration: Configuration): Promise<Provider> {
  const spies = (['warn', 'info'] as const).map((name) => jest.spyOn(console, name).mockImplementation());
  try {
    const { default: OidcProvider } = await import('oidc-provider');
    return new OidcProvider(issuer, configuration);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

async function signIn(provider: Provider, { id }: Account, request: IncomingMessage, response: ServerResponse) {
  const { params } = await provider.interactionDetails(request, response);
  const grant = new provider.Grant({ accountId: id, clientId: String(params['client_id']) });
  grant.addOIDCScope(String(params['scope']));
  const grantId = await grant.save();
  const result = { login: { accountId: id }, consent: { grantId } };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}

/** Goes where a browser would go from `url`, with the cookies that it is given, until it would leave for `stopAt`. Returns that address. */
export async function browse(url: string, stopAt: string): Promise<string> {
  const cookies = new Map<string, string>();
  for (let step = 0; step < 10; step++) {
    if (url.startsWith(stopAt)) return url;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const each of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (!location) throw new Error(`${url} answers ${response.status} ${await response.text()}`);
    url = new URL(location, url).href;
  }
  throw new Error('The redirects do not end.');
}
