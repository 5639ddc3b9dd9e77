import type request from 'supertest';
import type { Http, TestApp } from './app.js';
import type { LyingProvider } from './lying-provider.js';
import { CLIENT } from './oidc-provider.js';
import { cookieOf, inSession } from './people.js';

/** `PUBLIC_URL` of applications whose providers must know the redirect URI before the port is known. */
export const OIDC_BASE = 'http://localhost:3000';

/** A provider of `OIDC_PROVIDERS`. */
export function providerSetting(id: string, issuer: string, tenants: object[]): object {
  return { id, name: id, issuer, ...CLIENT, scopes: ['openid', 'email', 'profile', 'groups'], tenants };
}

/** A sign-in that has begun in a browser, up to the provider. */
export interface BegunFlow {
  /** Where the browser goes. */
  url: URL;
  /** The cookie of the flow. */
  cookie: string;
}

export async function beginFlow(app: TestApp, id: string, returnTo?: string): Promise<BegunFlow> {
  const query = returnTo === undefined ? '' : `?return_to=${encodeURIComponent(returnTo)}`;
  const response = await app.client().get(`/v1/oidc/${id}/start${query}`).expect(303);
  return { url: new URL(response.headers['location'] ?? ''), cookie: cookieOf(response) };
}

/** Comes back from the provider with these parameters. */
export function comeBack(
  app: TestApp,
  id: string,
  { cookie }: Pick<BegunFlow, 'cookie'>,
  parameters: Record<string, string>,
  headers: Record<string, string> = {},
): request.Test {
  const query = new URLSearchParams(parameters).toString();
  return app.client(undefined, { Cookie: cookie, ...headers }).get(`/v1/oidc/${id}/callback?${query}`);
}

/** Signs in with a provider that says these claims. */
export async function signInBy(
  app: TestApp,
  id: string,
  liar: LyingProvider,
  claims: Record<string, unknown>,
): Promise<request.Response> {
  const flow = await beginFlow(app, id);
  const { searchParams } = flow.url;
  const code = searchParams.get('state') ?? '';
  liar.claimsByCode.set(code, { nonce: searchParams.get('nonce'), ...claims });
  return comeBack(app, id, flow, { code, state: code });
}

/** Returns a client of the session that the response began. Fails if it did not. */
export function enteredBy(app: TestApp, response: request.Response): Http {
  const cookie = cookieOf(response);
  if (response.status !== 303 || !cookie.startsWith('trivet=tvs_')) {
    throw new Error(`${response.status} ${response.headers['location']} ${response.text}`);
  }
  return inSession(app, cookie, { Origin: OIDC_BASE });
}

/** Why the response leads back to the page for signing in; undefined if it does not. */
export function failureIn(response: request.Response): string | undefined {
  const prefix = `${OIDC_BASE}/console/sign-in?error=`;
  const location = response.headers['location'] ?? '';
  return location.startsWith(prefix) ? location.slice(prefix.length) : undefined;
}
