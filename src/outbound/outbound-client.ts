import type { Agent, IncomingHttpHeaders, RequestOptions } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { urlToHttpOptions } from 'node:url';
import { LRUCache } from 'lru-cache';
import { AddressPolicy, isPublicAddress } from './address.js';
import { CheckedAgent, CheckedPlainAgent } from './checked-agent.js';
import { download, type Downloaded, type ReceiveBody } from './download.js';
import { exchange, OutboundRequest } from './exchange.js';
import { Interruption, onAbort } from './interruption.js';
import { codeOf, OUTBOUND_MESSAGES, OutboundError, OutboundErrorCode } from './outbound-error.js';
import { Resolve, resolverFor } from './resolve.js';
import { parseUrl } from '../validation/parse-url.js';
import { checkTargetUrl, isPrivateName, plainHostName, PUBLIC_NEEDS_HTTPS } from './target-url.js';

/** How long the check of a new http URL waits for DNS. The addresses are checked again at every connection. */
const RESOLVE_MS = 2_000;
/** Number of URLs whose check is remembered. One takes a few kilobytes at most. */
const TARGETS = 1_000;

export interface OutboundOptions extends AddressPolicy {
  /** PEM certificates that are trusted in addition to node's root certificates. */
  ca?: string | Buffer;
  /** How names are resolved; DNS by default. */
  resolve?: Resolve;
}

export interface PostOptions {
  headers: Record<string, string>;
  body: string | Buffer;
  /** For the whole request, from name resolution to the last byte of the response. */
  timeoutMs: number;
  /** How much of the response body is read; 16 KiB by default. The rest is cut off without an error. */
  maxBytes?: number;
  /** Aborts the request (error `aborted`). */
  signal?: AbortSignal;
}

export interface GetOptions extends Omit<PostOptions, 'body'> {
  body?: undefined;
}

/** The outcome of a request. The response is complete only without `error`. With `status` and `error` it was interrupted. */
export interface OutboundResult {
  status?: number;
  /** At most `maxBytes` of the response body, as text. Never contains a NUL. */
  body: string;
  /** The `Retry-After` header, unparsed. */
  retryAfter?: string;
  durationMs: number;
  error?: OutboundErrorCode;
  /** A fixed sentence for `error` that a tenant may read. */
  message?: string;
  /** The actual error, for the log only: it may reveal names of the internal network. */
  cause?: Error;
}

/** An outcome with the headers of the response. */
export interface OutboundResponse extends OutboundResult {
  headers: IncomingHttpHeaders;
}

interface DownloadOptions {
  /** For all requests, from the first name resolution to the last byte of the file. */
  timeoutMs: number;
  receive: ReceiveBody;
}

/** The outcome of a download. The file is complete only with the status 200 and without `error`. */
export interface DownloadResult extends Pick<OutboundResult, 'status' | 'error' | 'message' | 'cause'> {
  /** Where the file was, after redirects. */
  url: string;
}

/** A redirect that is followed (RFC 9110, 15.4). */
const REDIRECTS: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 5;

interface Sent {
  result: OutboundResult;
  headers?: IncomingHttpHeaders;
}

/** Where a URL leads, or why it is not allowed. */
type Target = { wrong: string } | { wrong?: undefined; to: RequestOptions };

/** The agents of one kind: for https and, if the policy allows all networks, for http. */
interface Agents {
  https: Agent;
  http?: Agent;
}

/** Sends requests to URLs that tenants choose: HTTPS over HTTP/1.1, to addresses that the policy allows, kept alive for up to 10 s. */
export class OutboundClient {
  private readonly resolve: Resolve;
  private readonly pool: Agents;
  private readonly fresh: Agents;
  /** By URL. They depend on nothing else. */
  private readonly targets = new LRUCache<string, Target>({ max: TARGETS });
  private readonly running = new Set<Promise<Sent>>();
  /** What ends each download in progress. */
  private readonly downloads = new Set<Interruption>();
  private closed = false;

  constructor(private readonly options: OutboundOptions) {
    this.resolve = options.resolve ?? resolverFor(options);
    this.pool = this.agents(true);
    this.fresh = this.agents(false);
  }

  /** Returns why `url` is not allowed as a target, as a sentence; undefined if it is allowed. */
  checkTarget(url: unknown): string | undefined {
    return checkTargetUrl(url, this.options);
  }

  /**
   * The same check for a URL that is about to be stored. It also refuses an http URL whose name has only public addresses now. A name that
   * does not resolve is allowed only if it cannot be public, because a receiver in a private network may start later.
   */
  async checkNewTarget(url: unknown): Promise<string | undefined> {
    const wrong = this.checkTarget(url);
    const host = wrong === undefined ? plainHostName(String(url)) : undefined;
    if (host === undefined) return wrong;
    const late = sleep(RESOLVE_MS, [], { ref: false });
    const found = await Promise.race([this.resolve(host).catch(() => []), late]);
    const isPrivate = found.length > 0 ? found.some(({ address }) => !isPublicAddress(address)) : isPrivateName(host);
    return isPrivate ? undefined : PUBLIC_NEEDS_HTTPS;
  }

  /** Posts `body` to `url` and returns the outcome. Never rejects because of the network or the URL. */
  async post(url: string, options: PostOptions): Promise<OutboundResult> {
    return (await this.track(this.send(url, options))).result;
  }

  /** Gets `url`, or posts a body to it, and returns the outcome with headers. Never rejects because of the network or the URL. */
  async request(url: string, options: PostOptions | GetOptions): Promise<OutboundResponse> {
    const { result, headers = {} } = await this.track(this.send(url, options));
    return { ...result, headers };
  }

  /**
   * Requests a file, and follows at most five redirects. The URL of each is checked as the first one is. Returns the outcome. Never rejects: if
   * `receive` does, the outcome has an `error`.
   */
  async download(url: string, { timeoutMs, receive }: DownloadOptions): Promise<DownloadResult> {
    const interruption = new Interruption();
    if (this.closed) interruption.interrupt(new OutboundError('aborted', 'aborted by the service'));
    const late = () => interruption.interrupt(new OutboundError('timeout', `no whole file within ${timeoutMs} ms`));
    const timer = setTimeout(late, timeoutMs);
    const running = this.follow(url, interruption, receive);
    this.downloads.add(interruption);
    try {
      return await running;
    } finally {
      clearTimeout(timer);
      this.downloads.delete(interruption);
    }
  }

  private async follow(first: string, interruption: Interruption, receive: ReceiveBody): Promise<DownloadResult> {
    let url = first;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const target = this.target(url);
      if (target.wrong !== undefined) {
        return { url, ...explain(new OutboundError('address_not_allowed', target.wrong)), message: target.wrong };
      }
      const { to } = target;
      const agent = agentFor(to, this.fresh);
      const { status, headers, failure }: Downloaded = await download(to, agent, interruption, receive);
      if (failure) return { url, status, ...explain(failure) };
      const next = REDIRECTS.has(status) ? redirectOf(url, headers?.location) : undefined;
      if (next === undefined) return { url, status };
      url = next;
    }
    return { url, ...explain(new OutboundError('redirects', `more than ${MAX_REDIRECTS} redirects`)) };
  }

  /** Accepts no more requests, waits for those in progress (limited by their time-outs) and closes every connection. */
  async close(): Promise<void> {
    this.closed = true;
    for (const each of this.downloads) each.interrupt(new OutboundError('aborted', 'aborted by the service'));
    await Promise.allSettled(this.running);
    for (const { https, http } of [this.pool, this.fresh]) {
      https.destroy();
      http?.destroy();
    }
  }

  private async track(running: Promise<Sent>): Promise<Sent> {
    this.running.add(running);
    try {
      return await running;
    } finally {
      this.running.delete(running);
    }
  }

  private async send(url: string, options: PostOptions | GetOptions): Promise<Sent> {
    const { headers, body, timeoutMs, maxBytes = 16_384, signal } = options;
    const started = performance.now();
    const durationMs = () => Math.round(performance.now() - started);

    const target = this.target(url);
    if (target.wrong !== undefined) {
      const failed = explain(new OutboundError('address_not_allowed', target.wrong));
      return { result: { body: '', durationMs: 0, ...failed } };
    }
    const interruption = new Interruption();
    const giveUp = () => interruption.interrupt(new OutboundError('aborted', 'aborted by the caller'));
    if (this.closed || signal?.aborted) giveUp();
    const timer = setTimeout(
      () => interruption.interrupt(new OutboundError('timeout', `no complete response within ${timeoutMs} ms`)),
      timeoutMs,
    );
    const forget = signal && onAbort(signal, giveUp);
    try {
      const method = body === undefined ? 'GET' : 'POST';
      const request = { method, to: target.to, headers, body: body ?? '', maxBytes } as const;
      const { failure, status, headers: received, body: text } = await this.exchange(request, interruption);
      const retryAfter = received?.['retry-after'];
      const failed = failure && explain(failure);
      return { result: { status, body: text, retryAfter, durationMs: durationMs(), ...failed }, headers: received };
    } finally {
      clearTimeout(timer);
      forget?.();
    }
  }

  private target(url: string): Target {
    const known = this.targets.get(url);
    if (known) return known;
    const wrong = this.checkTarget(url);
    const target = wrong === undefined ? { to: placeOf(url) } : { wrong };
    this.targets.set(url, target);
    return target;
  }

  /** The receiver may close a pooled connection just as it is reused. That is not a failure, so this tries a new connection. */
  private async exchange(request: OutboundRequest, interruption: Interruption) {
    const first = await exchange(request, agentFor(request.to, this.pool), interruption);
    return first.stale ? exchange(request, agentFor(request.to, this.fresh), interruption) : first;
  }

  private agents(keepAlive: boolean): Agents {
    const { resolve, options: policy } = this;
    return {
      https: new CheckedAgent({ policy, resolve, keepAlive, ca: policy.ca }),
      ...(policy.allowPrivateNetworks && { http: new CheckedPlainAgent({ policy, resolve, keepAlive }) }),
    };
  }
}

/** `checkTarget` refuses http URLs where there is no agent for them. */
function agentFor({ protocol }: RequestOptions, { https, http }: Agents): Agent {
  return http && protocol === 'http:' ? http : https;
}

/** Only what a request needs, because it is copied several times for each. */
function placeOf(url: string): RequestOptions {
  const { protocol, hostname, port, path } = urlToHttpOptions(new URL(url));
  return { protocol, hostname, port, path };
}

/** Where a redirect leads; undefined without a location that is a URL. Fragments mean nothing to a server. */
function redirectOf(url: string, location: string | undefined): string | undefined {
  const next = location === undefined ? undefined : parseUrl(location, url);
  if (!next) return undefined;
  next.hash = '';
  return next.href;
}

function explain(cause: Error): Pick<OutboundResult, 'error' | 'message' | 'cause'> {
  const error = codeOf(cause);
  return { error, message: OUTBOUND_MESSAGES[error], cause };
}
