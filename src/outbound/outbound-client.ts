import { AddressPolicy } from './address.js';
import { CheckedAgent } from './checked-agent.js';
import { exchange, OutboundRequest } from './exchange.js';
import { codeOf, OUTBOUND_MESSAGES, OutboundError, OutboundErrorCode } from './outbound-error.js';
import { Resolve, resolverFor } from './resolve.js';
import { checkTargetUrl } from './target-url.js';

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

/** Sends requests to URLs that tenants choose: HTTPS over HTTP/1.1, to addresses that the policy allows, kept alive for up to 10 s. */
export class OutboundClient {
  private readonly pool: CheckedAgent;
  private readonly fresh: CheckedAgent;
  private readonly running = new Set<Promise<OutboundResult>>();
  private closed = false;

  constructor(private readonly options: OutboundOptions) {
    const { ca, resolve = resolverFor(options) } = options;
    this.pool = new CheckedAgent({ policy: options, resolve, ca, keepAlive: true });
    this.fresh = new CheckedAgent({ policy: options, resolve, ca, keepAlive: false });
  }

  /** Returns why `url` is not allowed as a target, as a sentence; undefined if it is allowed. */
  checkTarget(url: unknown): string | undefined {
    return checkTargetUrl(url, this.options);
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
    this.pool.destroy();
    this.fresh.destroy();
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
    const first = await exchange(request, this.pool, signal);
    return first.stale ? exchange(request, this.fresh, signal) : first;
  }
}

function explain(cause: Error): Pick<OutboundResult, 'error' | 'message' | 'cause'> {
  const error = codeOf(cause);
  return { error, message: OUTBOUND_MESSAGES[error], cause };
}
