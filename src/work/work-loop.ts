import { setMaxListeners } from 'node:events';
import { Logger } from '@nestjs/common';
import type { SetBacks } from '../database/database.js';
import { Gate } from '../queues/gate.js';
import type { Places } from './places.js';
import { ResultWriter } from './result-writer.js';
import type { ClaimedItem, Settled, WorkSource } from './work-item.js';
import { type RunLimits, WorkRun } from './work-run.js';

/** Maximum number of claiming statements that a process runs at once, because requests need connections too. */
const CLAIMS = 3;

export interface WorkOptions extends RunLimits {
  /** Names the work in the log. */
  name: string;
  places: Places;
  setBacks: Pick<SetBacks, 'isSetBack'>;
}

/**
 * Processes the due rows of a table: claims them for a limited time, attempts them and stores the results. If a worker dies, its rows stay
 * claimed until the claim expires.
 */
export class WorkLoop<Item extends ClaimedItem, Result> {
  private readonly logger = new Logger('Work');
  private readonly gate = new Gate(CLAIMS);
  private readonly results: ResultWriter<Settled<Item, Result>>;
  /** The current runs by group. */
  private readonly runs = new Map<string, WorkRun<Item>>();
  private readonly inProgress = new Set<Promise<void>>();
  private readonly shutdown = new AbortController();
  private stopping = false;

  constructor(
    private readonly source: WorkSource<Item, Result>,
    private readonly options: WorkOptions,
  ) {
    const store = (tenantId: string, results: Settled<Item, Result>[]) => source.store(tenantId, results);
    this.results = new ResultWriter(options.name, options.setBacks, store);
    // Every attempt adds a listener.
    setMaxListeners(0, this.shutdown.signal);
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

  private start(tenantId: string, group: string): WorkRun<Item> {
    const writes = new Set<Promise<void>>();
    const tasks = {
      claim: (count: number) => this.claim(tenantId, group, count),
      attempt: (item: Item) => this.attempt(tenantId, group, item, writes),
      release: (items: Item[]) => this.release(tenantId, items),
      settled: async () => void (await Promise.all(writes)),
    };
    const limits = this.source.limitsOf?.(group) ?? this.options;
    const run = new WorkRun(tenantId, this.options.places, limits, tasks, () => this.runs.delete(group));
    this.runs.set(group, run);
    return run;
  }

  /** Claims that may not be answered take no turn of others. */
  private claim(tenantId: string, group: string, count: number): Promise<Item[]> {
    const claim = () => this.source.claim(tenantId, group, count);
    return this.options.setBacks.isSetBack(tenantId) ? claim() : this.gate.through(claim);
  }

  private async attempt(tenantId: string, group: string, item: Item, writes: Set<Promise<void>>): Promise<boolean> {
    const result = await this.source.attempt(tenantId, group, item, this.shutdown.signal);
    if (result === undefined) {
      await this.release(tenantId, [item]);
      return false;
    }
    const written = this.results.add(tenantId, { group, item, result });
    writes.add(written);
    void written.then(() => writes.delete(written));
    // The next attempt does not wait until this result is stored, unless the result decides that there is no next attempt.
    const isLast = this.source.endsGroup?.(result) ?? false;
    if (isLast) await written;
    return !isLast;
  }

  private async release(tenantId: string, items: Item[]): Promise<void> {
    await this.source.release(tenantId, items).catch((error: unknown) => {
      this.logger.warn(
        { err: error, tenant_id: tenantId, work: this.options.name, rows: items.map(({ id }) => id) },
        'Claims could not be released; they will expire',
      );
    });
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
