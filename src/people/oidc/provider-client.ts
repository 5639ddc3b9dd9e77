import type { JWTVerifyGetKey } from 'jose';
import type { Configuration } from 'openid-client';
import type { OidcProvider } from '../../config/signing-in/oidc-providers.js';
import type { OperatorClient } from '../../outbound/operator-client.js';
import type { FlowState } from './flow-states.js';
import { identityOf, isComplete, type OidcIdentity } from './identity.js';
import { providerFetch, ProviderUnreachable } from './provider-fetch.js';

/** How long what a provider says of itself is used. */
const METADATA_MS = 3_600_000;
/** How long a failure is remembered, so that strangers do not make the service ask more often. */
const FAILURE_MS = 2_000;
/** After this time, a failed sign-in makes the service ask the provider again what it says of itself. */
const SUSPECT_MS = 10_000;
const KEYS_MS = 600_000;
/** A provider that has changed its keys signs with a new one at once. */
const KEYS_COOLDOWN_MS = 1_000;

/** Only signatures that nobody but the provider can make: not `none`, and none with the client's secret. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
const CLOCK_TOLERANCE_S = 30;

/** What a provider says of itself, and the keys that it signs with. */
interface Discovered {
  configuration: Configuration;
  issuer: string;
  keys: JWTVerifyGetKey;
  hasUserinfo: boolean;
  at: number;
}

/** The answer of a provider is not what it must be. The message is for the log. */
class WrongAnswer extends Error {
  override readonly name = 'WrongAnswer';
}

/** Signs people in with one provider (OpenID Connect Core 1.0): authorization code, PKCE, state and nonce. */
export class ProviderClient {
  private readonly fetch: ReturnType<typeof providerFetch>;
  private discovered?: Discovered;
  private pending?: Promise<Discovered>;
  private failure?: { error: Error; until: number };

  constructor(
    private readonly provider: OidcProvider,
    private readonly client: OperatorClient,
    private readonly timeoutMs: number,
  ) {
    this.fetch = providerFetch(client, timeoutMs);
  }

  /** Returns the address that the browser goes to. */
  async authorizationUrl(redirectUri: string, { state, nonce, verifier }: FlowState): Promise<string> {
    const { configuration } = await this.discover();
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client');
    const url = buildAuthorizationUrl(configuration, {
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: this.provider.scopes.join(' '),
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    return url.href;
  }

  /** Returns whom the provider signed in. `callback`: the redirect URI with the parameters that the browser brought. */
  async identify(callback: URL, flow: FlowState): Promise<OidcIdentity> {
    const discovered = await this.discover();
    try {
      return await this.exchange(discovered, callback, flow);
    } catch (error) {
      if (Date.now() - discovered.at > SUSPECT_MS) this.discovered = undefined;
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.client.close();
  }

  private async exchange(discovered: Discovered, callback: URL, flow: FlowState): Promise<OidcIdentity> {
    const { configuration, issuer } = discovered;
    const given = callback.searchParams.get('iss');
    if (given !== null && given !== issuer) throw new WrongAnswer('the answer of another provider');
    const { authorizationCodeGrant, fetchUserInfo } = await import('openid-client');
    const tokens = await authorizationCodeGrant(configuration, callback, {
      expectedState: flow.state,
      expectedNonce: flow.nonce,
      pkceCodeVerifier: flow.verifier,
      idTokenExpected: true,
    });
    const claims = await this.verified(tokens.id_token ?? '', discovered, flow.nonce);
    const isEnough = isComplete(
      claims,
      this.provider.tenants.flatMap(({ roles, groupsClaim }) => (roles.length > 0 ? groupsClaim : [])),
    );
    const userinfo =
      isEnough || !discovered.hasUserinfo
        ? {}
        : await fetchUserInfo(configuration, tokens.access_token, String(claims['sub']));
    const identity = identityOf(issuer, claims, userinfo);
    if (!identity) throw new WrongAnswer('no usable subject');
    return identity;
  }

  /** Checks signature, issuer, audience, times and nonce of an ID token. The library may leave some of it to TLS. */
  private async verified(token: string, { issuer, keys }: Discovered, nonce: string): Promise<Record<string, unknown>> {
    const { clientId } = this.provider;
    const { jwtVerify } = await import('jose');
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience: clientId,
      algorithms: ALGORITHMS,
      requiredClaims: ['sub', 'iat', 'exp', 'nonce'],
      clockTolerance: CLOCK_TOLERANCE_S,
    });
    if (payload['nonce'] !== nonce) throw new WrongAnswer('another nonce');
    const isShared = Array.isArray(payload.aud) && payload.aud.length > 1;
    if ((isShared || payload['azp'] !== undefined) && payload['azp'] !== clientId) {
      throw new WrongAnswer('a token for another client');
    }
    return payload;
  }

  /** Returns what the provider says of itself. Everybody waits for one question, and what it said an hour ago is better than nothing. */
  private async discover(): Promise<Discovered> {
    const known = this.discovered;
    if (known && Date.now() - known.at < METADATA_MS) return known;
    if (this.failure && Date.now() < this.failure.until) {
      if (known) return known;
      throw this.failure.error;
    }
    this.pending ??= this.ask().finally(() => (this.pending = undefined));
    try {
      return await this.pending;
    } catch (error) {
      if (known) return known;
      throw error;
    }
  }

  private async ask(): Promise<Discovered> {
    try {
      this.discovered = await this.askNow();
      this.failure = undefined;
      return this.discovered;
    } catch (cause) {
      const error = new ProviderUnreachable('The provider does not say what it is.', { cause });
      this.failure = { error, until: Date.now() + FAILURE_MS };
      throw error;
    }
  }

  private async askNow(): Promise<Discovered> {
    const { issuer: configured, clientId, clientSecret } = this.provider;
    const [library, { createRemoteJWKSet, customFetch }] = await Promise.all([import('openid-client'), import('jose')]);
    const url = new URL(configured);
    const execute = url.protocol === 'http:' ? [library.allowInsecureRequests] : [];
    const timeout = Math.ceil(this.timeoutMs / 1_000) + 1;
    const found = await library.discovery(url, clientId, undefined, library.None(), {
      [library.customFetch]: this.fetch,
      execute,
      timeout,
    });
    const metadata = found.serverMetadata();
    const { issuer, jwks_uri: jwksUri, token_endpoint_auth_methods_supported: methods } = metadata;
    if (!jwksUri) throw new WrongAnswer('The provider names no keys.');
    // In the header, the secret is encoded in a way that not every provider decodes.
    const byPost = methods?.includes('client_secret_post') === true;
    const authenticate = byPost ? library.ClientSecretPost : library.ClientSecretBasic;
    const configuration = new library.Configuration(metadata, clientId, undefined, authenticate(clientSecret));
    configuration[library.customFetch] = this.fetch;
    configuration.timeout = timeout;
    for (const method of execute) method(configuration);
    const keys = createRemoteJWKSet(new URL(jwksUri), {
      [customFetch]: this.fetch,
      timeoutDuration: this.timeoutMs + 1_000,
      cooldownDuration: KEYS_COOLDOWN_MS,
      cacheMaxAge: KEYS_MS,
    });
    return { configuration, issuer, keys, hasUserinfo: metadata.userinfo_endpoint !== undefined, at: Date.now() };
  }
}
