/**
 * Ends a request early: when its time is over, or when its caller gives up. It does what an AbortController does, which would cost more than
 * the rest of a small request.
 */
export class Interruption {
  /** Why the request ends; undefined as long as it may continue. */
  reason?: Error;
  /** Called once with the reason. */
  onInterrupt?: (reason: Error) => void;

  /** Only the first call has an effect. */
  interrupt(reason: Error): void {
    if (this.reason) return;
    this.reason = reason;
    this.onInterrupt?.(reason);
  }
}

/** What to call when each signal aborts. */
const listeners = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `listener` when `signal` aborts, until the function that it returns is called. All listeners share one of the signal, because a
 * signal walks through its listeners whenever one is added or removed, and one signal may stop hundreds of requests.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  let shared = listeners.get(signal);
  if (!shared) {
    const added = new Set<() => void>();
    signal.addEventListener('abort', () => added.forEach((each) => each()), { once: true });
    listeners.set(signal, (shared = added));
  }
  const all = shared.add(listener);
  return () => void all.delete(listener);
}
