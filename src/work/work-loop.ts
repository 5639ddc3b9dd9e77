import { setMaxListeners } from 'node:events';
import { SoftSemaphore } from '../queues/soft-semaphore.js';
import { ResultWriter } from './result-writer.js';
import type { ClaimedItem, WorkSource } from './work-item.js';
import { type RunContext, type WorkOptions, WorkRun } from './work-run.js';

/** Maximum number of claiming statements that a process runs at once, because requests need connections too. */
const CLAIMS = 3;

/**
 * Processes the due rows of a table: claims them for a limited time, attempts them and stores the results. If a worker dies, its rows stay
 * claimed until the claim expires.
 */
export class WorkLoop<Item extends ClaimedItem, Result> {
  /** The current runs by group. */
  private readonly runs = new Map<string, WorkRun<Item, Result>>();
  private readonly inProgress = new Set<Promise<void>>();
  private readonly shutdown = new AbortController();
  private readonly context: RunContext<Item, Result>;
  private stopping = false;

  constructor(
    private readonly source: WorkSource<Item, Result>,
    options: WorkOptions,
  ) {
    const { signal } = this.shutdown;
    this.context = {
      source,
      options,
      claims: new SoftSemaphore(CLAIMS),
      results: new ResultWriter(source, options),
      signal,
    };
    // Every attempt adds a listener.
    setMaxListeners(0, signal);
  }

  /** Processes the tenant's due rows. Resolves when the runs that this call started have ended. */
  async work(tenantId: string): Promise<void> {
    if (this.stopping) return;
    const groups = await this.source.groups(tenantId);
    if (this.stopping) return;
    const started = groups.flatMap((group) => {
      const run = this.runs.get(group);
      const ended = (run ?? this.start(tenantId, group)).wake();
      // Only the starter awaits a run; otherwise waiters would pile up behind a hung one.
      return run ? [] : [this.track(ended)];
    });
    await Promise.all(started);
  }

  /** Releases what the run of a group has claimed and not begun, because the group has changed. */
  async giveBack(group: string): Promise<void> {
    await this.runs.get(group)?.giveBack();
  }

  /** Claims nothing more. Attempts in progress continue. */
  stopClaiming(): void {
    this.stopping = true;
    for (const run of this.runs.values()) run.stop();
  }

  /** Stops, and aborts the attempts that take longer than `graceMs`. Resolves when all results are stored. */
  async stop(graceMs: number, onAbort: () => void = () => undefined): Promise<void> {
    this.stopClaiming();
    const abort = () => {
      this.shutdown.abort();
      onAbort();
    };
    const timer = setTimeout(abort, graceMs).unref();
    while (this.inProgress.size > 0) await Promise.allSettled(this.inProgress);
    clearTimeout(timer);
  }

  private start(tenantId: string, group: string): WorkRun<Item, Result> {
    const run = new WorkRun(this.context, tenantId, group, () => this.runs.delete(group));
    this.runs.set(group, run);
    return run;
  }

  private async track(run: Promise<void>): Promise<void> {
    this.inProgress.add(run);
    try {
      await run;
    } finally {
      this.inProgress.delete(run);
    }
  }
}
