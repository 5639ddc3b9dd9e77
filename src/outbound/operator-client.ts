import {
  type GetOptions,
  OutboundClient,
  type OutboundResponse,
  type OutboundResult,
  type PostOptions,
} from './outbound-client.js';
import type { Resolve } from './resolve.js';
import { parseUrl } from '../validation/parse-url.js';

interface OperatorClientOptions {
  /** Hosts that may have addresses that are not public, each with an optional port: `crm.internal`, `10.1.2.3:8443`, `[fd00::1]`. */
  allowedHosts: readonly string[];
  /** PEM certificates that are trusted in addition to node's root certificates. */
  ca?: string | Buffer;
  /** How names are resolved. */
  resolve?: Resolve;
}

/**
 * Sends requests to URLs that the operator configured, such as that of a CRM or a mail gateway: HTTPS to public addresses, and to any
 * address of the hosts in `OUTBOUND_ALLOWED_HOSTS`. Never pass a URL that a tenant chose; that is what `OutboundClient` is for.
 */
export class OperatorClient {
  private readonly hosts: ReadonlySet<string>;
  private readonly listed: OutboundClient;
  private readonly others: OutboundClient;

  constructor({ allowedHosts, ...options }: OperatorClientOptions) {
    this.hosts = new Set(allowedHosts.map((host) => host.toLowerCase()));
    this.listed = new OutboundClient({ ...options, allowPrivateNetworks: true, allow: [] });
    this.others = new OutboundClient({ ...options, allowPrivateNetworks: false, allow: [] });
  }

  /** Returns why `url` is not allowed as a target, as a sentence; undefined if it is allowed. */
  checkTarget(url: string): string | undefined {
    return this.clientFor(url).checkTarget(url);
  }

  /** Posts `body` to `url` and returns the outcome. Never rejects because of the network or the URL. */
  async post(url: string, options: PostOptions): Promise<OutboundResult> {
    return this.clientFor(url).post(url, options);
  }

  /** Gets `url`, or posts a body to it, and returns the outcome with headers. Never rejects because of the network or the URL. */
  async request(url: string, options: PostOptions | GetOptions): Promise<OutboundResponse> {
    return this.clientFor(url).request(url, options);
  }

  async close(): Promise<void> {
    await Promise.all([this.listed.close(), this.others.close()]);
  }

  private clientFor(url: string): OutboundClient {
    return this.isListed(url) ? this.listed : this.others;
  }

  private isListed(url: string): boolean {
    const parsed = parseUrl(url);
    if (!parsed) return false;
    const { protocol, hostname, port } = parsed;
    const used = port || (protocol === 'http:' ? '80' : '443');
    return this.hosts.has(hostname) || this.hosts.has(`${hostname}:${used}`);
  }
}
