import type { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { AddressPolicy, isPublicAddress } from './address.js';
import { CheckedAgent, CheckedPlainAgent } from './checked-agent.js';
import { exchange, OutboundRequest } from './exchange.js';
import { codeOf, OUTBOUND_MESSAGES, OutboundError, OutboundErrorCode } from './outbound-error.js';
import { Resolve, resolverFor } from './resolve.js';
import { checkTargetUrl, isPrivateName, plainHostName, PUBLIC_NEEDS_HTTPS } from './target-url.js';

/** How long the check of a new http URL waits for DNS. The addresses are checked again at every connection. */
const RESOLVE_MS = 2_000;

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
  private readonly running = new Set<Promise<OutboundResult>>();
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
    const running = this.attempt(url, options);
    this.running.add(running);
    try {
      return await running;
    } finally {
      this.running.delete(running);
    }
  }

  /** Accepts no more requests, waits for those in progress (limited by their time-outs) and closes every connection. */
  async close(): Promise<void> {
    this.closed = true;
    await Promise.allSettled(this.running);
    for (const { https, http } of [this.pool, this.fresh]) {
      https.destroy();
      http?.destroy();
    }
  }

  private async attempt(url: string, options: PostOptions): Promise<OutboundResult> {
    const { headers, body, timeoutMs, maxBytes = 16_384, signal } = options;
    const started = performance.now();
    const durationMs = () => Math.round(performance.now() - started);

    const wrong = this.checkTarget(url);
    if (wrong) return { body: '', durationMs: 0, ...explain(new OutboundError('address_not_allowed', wrong)) };

    const limit = new AbortController();
    const giveUp = () => limit.abort(new OutboundError('aborted', 'aborted by the caller'));
    if (this.closed || signal?.aborted) giveUp();
    const timer = setTimeout(
      () => limit.abort(new OutboundError('timeout', `no complete response within ${timeoutMs} ms`)),
      timeoutMs,
    );
    signal?.addEventListener('abort', giveUp);
    try {
      const {
        failure,
        status,
        retryAfter,
        body: text,
      } = await this.send({ url, headers, body, maxBytes }, limit.signal);
      return { status, body: text, retryAfter, durationMs: durationMs(), ...(failure && explain(failure)) };
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
    }
  }

  /** The receiver may close a pooled connection just as it is reused. That is not a failure, so this tries a new connection. */
  private async send(request: OutboundRequest, signal: AbortSignal) {
    const first = await exchange(request, agentFor(request.url, this.pool), signal);
    return first.stale ? exchange(request, agentFor(request.url, this.fresh), signal) : first;
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
function agentFor(url: string, { https, http }: Agents): Agent {
  return http && new URL(url).protocol === 'http:' ? http : https;
}

function explain(cause: Error): Pick<OutboundResult, 'error' | 'message' | 'cause'> {
  const error = codeOf(cause);
  return { error, message: OUTBOUND_MESSAGES[error], cause };
}
