/** Hits counted in a fixed window, and the milliseconds until it ends. */
export type Count = [hits: number, left: number];

/** Fixed windows in the memory of this process. Each starts with its first hit. */
export class RateLimitWindows {
  private readonly windows = new Map<string, { hits: number; ends: number }>();
  private swept = 0;

  /** Counts hits; `ttl` is the window's length in milliseconds. With no hits, it only looks. */
  count(key: string, ttl: number, hits: 0 | 1 = 1): Count {
    const now = Date.now();
    this.sweep(now);
    let window = this.windows.get(key);
    if (!window || window.ends <= now) {
      if (hits === 0) return [0, 0];
      this.windows.set(key, (window = { hits: 0, ends: now + ttl }));
    }
    window.hits += hits;
    return [window.hits, window.ends - now];
  }

  /** Returns the count without adding a hit; undefined if the current window has no hit. */
  look(key: string): Count | undefined {
    const now = Date.now();
    const window = this.windows.get(key);
    return window && window.ends > now ? [window.hits, window.ends - now] : undefined;
  }

  /** Removes ended windows at most once a second, so that addresses that are not seen again do not fill the memory. */
  private sweep(now: number): void {
    if (now - this.swept < 1000) return;
    this.swept = now;
    for (const [key, window] of this.windows) if (window.ends <= now) this.windows.delete(key);
  }
}
