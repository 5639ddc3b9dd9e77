import { createHash, randomBytes } from 'node:crypto';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { addressGroup } from '../../admission/address-group.js';
import { FairQueue } from '../../admission/fair-queue.js';
import { Config } from '../../config/config.js';
import type { OidcProvider } from '../../config/signing-in/oidc-providers.js';
import { Problem } from '../../errors/problem.js';
import { PublicUrl } from '../../http/public-url.js';
import { OperatorClient } from '../../outbound/operator-client.js';
import { type FlowState, FlowStates } from './flow-states.js';
import type { OidcIdentity } from './identity.js';
import { ProviderClient } from './provider-client.js';
import { isUnreachable } from './provider-fetch.js';
import { consolePath } from './return-path.js';

/** How long a person has to sign in with the provider. */
const FLOW_MS = 10 * 60_000;
/** Time-out of one request to a provider. */
const TIMEOUT_MS = 10_000;
/** Sign-ins with one provider that end at once, and those that wait. So a provider that hangs holds nothing that others need. */
const CONCURRENCY = 8;
const MAX_WAITING_OF_ADDRESS = 5;
const MAX_WAITING = 100;
const WAIT_MS = 10_000;
const RANDOM_BYTES = 32;

/** What the groups of a person give in a tenant: the role of the first group that has one. */
export interface GivenRole {
  tenantId: string;
  byGroup?: string;
  /** The role of who is in none of the groups. */
  byDefault?: string;
}

/** Whom a provider has signed in. */
interface FinishedFlow {
  identity: OidcIdentity;
  /** The page to go on with. */
  returnTo: string;
  /** SHA-256 of the state. It must be recorded until the flow expires, so that it does not end twice. */
  hash: Buffer;
  expiresAt: Date;
}

interface Connected {
  provider: OidcProvider;
  client: ProviderClient;
  queue: FairQueue;
}

/** Signs people in with the providers of `OIDC_PROVIDERS`. It asks a provider for nothing before somebody signs in with it. */
@Injectable()
export class OidcProviders implements OnApplicationShutdown {
  private readonly logger = new Logger(OidcProviders.name);
  private readonly states: FlowStates;
  private readonly connected: ReadonlyMap<string, Connected>;

  constructor(
    config: Config,
    private readonly publicUrl: PublicUrl,
  ) {
    this.states = new FlowStates(config.encryptionKeys);
    this.connected = new Map(config.oidcProviders.map((provider) => [provider.id, connect(provider, config)]));
  }

  /** What people may choose from. */
  get offered(): { id: string; name: string }[] {
    return [...this.connected.values()].map(({ provider: { id, name } }) => ({ id, name }));
  }

  /**
   * Returns where the browser goes, and the sealed `state` for a cookie that is valid for ten minutes. Throws a 404 for an unknown provider, a
   * 400 if `returnTo` is not the path of a page of the console, and a 503 if the provider does not answer.
   */
  async start(providerId: string, returnTo = '/console'): Promise<{ url: string; state: string }> {
    const connected = this.find(providerId);
    const path = consolePath(returnTo);
    if (path === undefined)
      throw Problem.parameter('return_to', 'return_to must be the path of a page of the console.');
    const [state, nonce, verifier] = [random(), random(), random()];
    const flow: FlowState = { state, nonce, verifier, returnTo: path, expires: Date.now() + FLOW_MS };
    const url = await this.ask(connected, () => connected.client.authorizationUrl(this.redirectUri(providerId), flow));
    return { url, state: this.states.seal(providerId, flow) };
  }

  /**
   * Returns whom the provider has signed in. `callbackUrl` is what the browser asked for, and `address` that of the
   * client. Throws a 401 if the sign-in failed for whatever reason, and a 503 if the provider does not answer or too many wait for it.
   */
  async finish(
    providerId: string,
    callbackUrl: string,
    sealedState: string | undefined,
    address: string,
  ): Promise<FinishedFlow> {
    const connected = this.find(providerId);
    const flow = this.states.open(providerId, sealedState ?? '');
    if (!flow) throw new ExpiredFlow();
    const callback = new URL(this.redirectUri(providerId));
    callback.search = new URL(callbackUrl, callback).search;
    if (connected.queue.waiting >= MAX_WAITING) throw unavailable(connected.provider);
    const identity = await connected.queue.run(addressGroup(address), () =>
      this.ask(connected, () => connected.client.identify(callback, flow)),
    );
    const hash = createHash('sha256').update(flow.state).digest();
    return { identity, returnTo: flow.returnTo, hash, expiresAt: new Date(flow.expires) };
  }

  /** Returns the tenants that the provider serves, each with the role that the person's groups or the default give there. */
  rolesOf(providerId: string, { groups }: OidcIdentity): GivenRole[] {
    return this.find(providerId).provider.tenants.map(
      ({ id: tenantId, defaultRole: byDefault, roles, groupsClaim }) => {
        const all = new Set(roles.length > 0 ? groups(groupsClaim) : []);
        const [, byGroup] = roles.find(([group]) => all.has(group)) ?? [];
        return { tenantId, ...(byGroup !== undefined && { byGroup }), ...(byDefault !== undefined && { byDefault }) };
      },
    );
  }

  /** Returns the tenants that are served by the providers of this issuer. */
  servedBy(issuer: string): ReadonlySet<string> {
    const { href } = new URL(issuer);
    const same = [...this.connected.values()].filter(({ provider }) => new URL(provider.issuer).href === href);
    return new Set(same.flatMap(({ provider }) => provider.tenants.map(({ id }) => id)));
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.connected.values()].map(({ client }) => client.close()));
  }

  private find(providerId: string): Connected {
    const connected = this.connected.get(providerId);
    if (!connected) throw Problem.notFound('provider');
    return connected;
  }

  /** At the host where the console sends its requests, because the cookies of flows and sessions belong to one host. */
  private redirectUri(providerId: string): string {
    return `${this.publicUrl.console}/v1/oidc/${providerId}/callback`;
  }

  /** The causes are for the log: they may name hosts of the operator's network. */
  private async ask<Result>({ provider }: Connected, task: () => Promise<Result>): Promise<Result> {
    try {
      return await task();
    } catch (err) {
      const reason = reasonOf(err);
      this.logger.warn({ err, provider: provider.id, reason }, 'A sign-in with a provider of OpenID Connect failed');
      throw isUnreachable(err) ? unavailable(provider) : refused(provider);
    }
  }
}

function connect(provider: OidcProvider, { outboundAllowedHosts, outboundCa: ca }: Config): Connected {
  const { protocol, hostname, port } = new URL(provider.issuer);
  // The operator chose the issuer. Other hosts are those that the provider names.
  const issuer = `${hostname}:${port || (protocol === 'http:' ? '80' : '443')}`;
  const client = new OperatorClient({ allowedHosts: [...outboundAllowedHosts, issuer], ca });
  const queue = new FairQueue({
    concurrency: CONCURRENCY,
    maxWaiting: MAX_WAITING_OF_ADDRESS,
    waitMs: WAIT_MS,
    refusal: () => unavailable(provider),
  });
  return { provider, client: new ProviderClient(provider, client, TIMEOUT_MS), queue };
}

/** The flow belongs to another browser, has expired, or has ended already. */
export class ExpiredFlow extends Problem {
  constructor() {
    super('unauthorized', 'The sign-in was not begun in this browser, or more than ten minutes ago, or it has ended.');
  }
}

function unavailable({ name }: OidcProvider): Problem {
  return Problem.unavailable(`${name} does not answer. Try again soon.`, 5);
}

function refused({ name }: OidcProvider): Problem {
  return Problem.notSignedIn(`Signing in with ${name} failed. Try again.`);
}

/** Returns the code that a provider gives for its refusal (RFC 6749), such as `invalid_client` for a wrong secret. */
function reasonOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'error' in error ? error.error : undefined;
  return typeof code === 'string' && /^[a-z_]{1,50}$/.test(code) ? code : undefined;
}

function random(): string {
  return randomBytes(RANDOM_BYTES).toString('base64url');
}
