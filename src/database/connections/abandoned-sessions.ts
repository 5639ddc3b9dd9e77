import type { DatabaseProbe } from './database-probe.js';
import type { LimitedClient } from './limited-client.js';

const CHECK_EVERY_MS = 1_000;

interface Abandoned {
  /** Whose statement was not answered. */
  tenantId: string | undefined;
  /** Called when the session no longer exists. */
  gone: () => void;
}

/**
 * The sessions whose connections were given up. The server may keep such a session until whatever it waits for is over, because a session
 * looks at its connection only when it sends something. They are told to end, and watched until they have ended.
 */
export class AbandonedSessions {
  /** All that there have been. */
  total = 0;
  private readonly sessions = new Map<string, Abandoned & { pid: number; port: number }>();
  private timer?: NodeJS.Timeout;

  constructor(private readonly probe: Pick<DatabaseProbe, 'endSessions'>) {}

  /** Those that exist, as far as is known. */
  get size(): number {
    return this.sessions.size;
  }

  has(tenantId: string): boolean {
    return [...this.sessions.values()].some((session) => session.tenantId === tenantId);
  }

  add({ processID: pid, localPort: port }: LimitedClient, abandoned: Abandoned): void {
    this.total++;
    if (pid === null) return;
    this.sessions.set(keyOf({ pid, port }), { pid, port, ...abandoned });
    this.timer ??= this.checkLater();
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private checkLater(): NodeJS.Timeout {
    return setTimeout(() => void this.check(), CHECK_EVERY_MS).unref();
  }

  private async check(): Promise<void> {
    const asked = [...this.sessions];
    // While the server cannot be asked, the sessions count as existing.
    const left = await this.probe.endSessions(asked.map(([, session]) => session)).catch(() => undefined);
    if (left) {
      const existing = new Set(left.map(keyOf));
      const gone = asked.filter(([key]) => !existing.has(key));
      for (const [key] of gone) this.sessions.delete(key);
      for (const [, session] of gone) session.gone();
    }
    this.timer = this.sessions.size > 0 ? this.checkLater() : undefined;
  }
}

function keyOf({ pid, port }: { pid: number; port: number }): string {
  return `${pid}/${port}`;
}
