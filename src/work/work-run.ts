import { Logger } from '@nestjs/common';
import type { RestrictedTenants } from '../database/database.js';
import type { SoftSemaphore } from '../queues/soft-semaphore.js';
import type { TenantSemaphore } from './fair-semaphore.js';
import type { ResultWriter } from './result-writer.js';
import type { ClaimedItem, WorkSource } from './work-item.js';

/**
 * A batch that takes less than `SHORT_MS` is followed by a larger one. A batch that takes more than `LONG_MS` is followed by a smaller one.
 */
const SHORT_MS = 200;
const LONG_MS = 1_000;

export interface RunLimits {
  /** Maximum number of attempts of a group at once. */
  concurrency: number;
  /** The number of rows that are claimed together, at first and at most. */
  minBatch: number;
  maxBatch: number;
}

export interface WorkOptions extends RunLimits {
  /** Names the work in the log. */
  name: string;
  semaphore: TenantSemaphore;
  restrictedTenants: Pick<RestrictedTenants, 'isRestricted'>;
}

/** What the runs of a worker have in common. */
export interface RunContext<Item extends ClaimedItem, Result> {
  source: WorkSource<Item, Result>;
  options: WorkOptions;
  /** Limits the claiming statements. */
  claims: Pick<SoftSemaphore, 'run'>;
  results: Pick<ResultWriter<Item, Result>, 'add'>;
  /** Aborts attempts when the process ends. */
  signal: AbortSignal;
}

/**
 * Processes the due rows of one group: claims some, makes an attempt at each and stores the results. A few loops, each with one attempt at a
 * time, share the rows that were claimed together. A loop that waits for a slow response does not block the others.
 */
export class WorkRun<Item extends ClaimedItem, Result> {
  private readonly logger = new Logger('Work');
  private settle!: { resolve: () => void; reject: (error: unknown) => void };
  private readonly ended = new Promise<void>((resolve, reject) => (this.settle = { resolve, reject }));
  private readonly limits: RunLimits;
  private readonly claimed: Item[] = [];
  /** Results that are not stored yet. */
  private readonly unstored = new Set<Promise<void>>();
  private loops = 0;
  private claiming?: Promise<void>;
  private batch: number;
  private lastClaim = 0;
  /** Increases with each wake-up. A claim that began before a wake-up may have missed the rows that caused it. */
  private wakes = 0;
  /** Increases with each `giveBack`. A claim that began before it may have read what the group was before its change. */
  private returns = 0;
  private isDry = false;
  private isStopped = false;
  private failure?: unknown;

  constructor(
    private readonly context: RunContext<Item, Result>,
    private readonly tenantId: string,
    private readonly group: string,
    private readonly onEnd: () => void,
  ) {
    const { source, options } = context;
    this.limits = source.limitsOf?.(group) ?? options;
    this.batch = this.limits.minBatch;
  }

  /** Looks for new rows. Resolves when none are left; rejects if a claim or another task failed. */
  wake(): Promise<void> {
    this.wakes++;
    this.isDry = false;
    this.startLoop();
    return this.ended;
  }

  /** Begins no further attempts. Running attempts continue until they end. */
  stop(): void {
    this.isStopped = true;
  }

  /** Releases the rows that are claimed and were not begun, because the group has changed, also those of a claim that is in progress. */
  async giveBack(): Promise<void> {
    this.returns++;
    this.isDry = false;
    await this.releaseClaimed();
  }

  private startLoop(): void {
    if (this.loops >= this.maxLoops) return;
    this.loops++;
    void this.loop();
  }

  private get maxLoops(): number {
    return this.context.options.semaphore.crowded ? 1 : this.limits.concurrency;
  }

  private async loop(): Promise<void> {
    try {
      while (this.loops <= this.maxLoops && (await this.step()));
    } catch (error) {
      this.failure = error;
      this.isStopped = true;
    }
    this.loops--;
    if (this.loops === 0) await this.end();
  }

  /** Handles one row. Returns false if there are no more. */
  private async step(): Promise<boolean> {
    const permit = await this.context.options.semaphore.acquire(this.tenantId);
    try {
      const item = await this.next();
      if (!item) return false;
      if (this.claimed.length > 0 || !this.isDry) this.startLoop();
      if (!(await this.handle(item))) await this.releaseClaimed();
      return true;
    } finally {
      permit.release();
    }
  }

  private async next(): Promise<Item | undefined> {
    while (!this.isStopped) {
      const item = this.claimed.shift();
      if (item && Date.now() <= item.startBy) return item;
      if (item) await this.release([item]);
      else if (this.isDry) return undefined;
      else await (this.claiming ??= this.claim().finally(() => (this.claiming = undefined)));
    }
    return undefined;
  }

  private async claim(): Promise<void> {
    const { wakes, returns } = this;
    const now = Date.now();
    const lasted = now - this.lastClaim;
    if (lasted < SHORT_MS) this.batch = Math.min(this.batch * 2, this.limits.maxBatch);
    else if (lasted > LONG_MS) this.batch = Math.max(Math.floor(this.batch / 2), this.limits.minBatch);
    this.lastClaim = now;
    const { source, options, claims } = this.context;
    const claim = () => source.claim(this.tenantId, this.group, this.batch);
    // A claim that may not be answered takes no turn of others.
    const items = await (options.restrictedTenants.isRestricted(this.tenantId) ? claim() : claims.run(claim));
    if (returns !== this.returns) return this.release(items);
    this.claimed.push(...items);
    if (items.length < this.batch && wakes === this.wakes) this.isDry = true;
  }

  /** Makes the attempt. Returns false if the other claimed rows must not be attempted any more. */
  private async handle(item: Item): Promise<boolean> {
    const { source, results, signal } = this.context;
    const result = await source.attempt(this.tenantId, this.group, item, signal);
    if (result === undefined) {
      await this.release([item]);
      return false;
    }
    const stored = results.add(this.tenantId, { group: this.group, item, result });
    this.unstored.add(stored);
    void stored.then(() => this.unstored.delete(stored));
    // The next attempt does not wait until this result is stored, unless the result decides that there is no next attempt.
    const isLast = source.endsGroup?.(result) ?? false;
    if (isLast) await stored;
    return !isLast;
  }

  private async releaseClaimed(): Promise<void> {
    await this.release(this.claimed.splice(0));
  }

  private async release(items: Item[]): Promise<void> {
    if (items.length === 0) return;
    const { source, options } = this.context;
    await source.release(this.tenantId, items).catch((error: unknown) => {
      this.logger.warn(
        { err: error, tenant_id: this.tenantId, work: options.name, rows: items.map(({ id }) => id) },
        'Claims could not be released; they will expire',
      );
    });
  }

  private async end(): Promise<void> {
    this.onEnd();
    await this.releaseClaimed();
    await Promise.all(this.unstored);
    if (this.failure === undefined) this.settle.resolve();
    else this.settle.reject(this.failure);
  }
}
