import type { Places } from './places.js';

/**
 * A batch that takes less than `SHORT_MS` is followed by a larger one. A batch that takes more than `LONG_MS` is followed by a smaller one.
 */
const SHORT_MS = 200;
const LONG_MS = 1_000;

export interface RunLimits {
  /** Maximum number of attempts of a group at once. */
  lanes: number;
  /** The number of rows that are claimed together, at first and at most. */
  minBatch: number;
  maxBatch: number;
}

/** The operations that a run needs for its group. */
export interface RunTasks<Item> {
  /** Claims at most `count` rows. */
  claim(count: number): Promise<Item[]>;
  /** Makes the attempt and resolves when it has ended. Resolves to false if the other claimed rows must not be attempted any more. */
  attempt(item: Item): Promise<boolean>;
  /** Releases claims that were not used. */
  release(items: Item[]): Promise<void>;
  /** Resolves when every result is stored. */
  settled(): Promise<void>;
}

/**
 * Processes the due rows of one group. A few lanes, each with one attempt at a time, share the rows that were claimed together. A lane that
 * waits for a slow response does not block the others.
 */
export class WorkRun<Item extends { startBy: number }> {
  private settle!: { resolve: () => void; reject: (error: unknown) => void };
  private readonly ended = new Promise<void>((resolve, reject) => (this.settle = { resolve, reject }));
  private readonly claimed: Item[] = [];
  private lanes = 0;
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
    private readonly tenantId: string,
    private readonly places: Places,
    private readonly limits: RunLimits,
    private readonly tasks: RunTasks<Item>,
    private readonly onEnd: () => void,
  ) {
    this.batch = limits.minBatch;
  }

  /** Looks for new rows. Resolves when none are left; rejects if a claim or another task failed. */
  wake(): Promise<void> {
    this.wakes++;
    this.isDry = false;
    this.openLane();
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

  private openLane(): void {
    if (this.lanes >= this.maxLanes) return;
    this.lanes++;
    void this.lane();
  }

  private get maxLanes(): number {
    return this.places.crowded ? 1 : this.limits.lanes;
  }

  private async lane(): Promise<void> {
    try {
      while (this.lanes <= this.maxLanes && (await this.step()));
    } catch (error) {
      this.failure = error;
      this.isStopped = true;
    }
    this.lanes--;
    if (this.lanes === 0) await this.end();
  }

  /** Handles one row. Returns false if there are no more. */
  private async step(): Promise<boolean> {
    const place = await this.places.enter(this.tenantId);
    try {
      const item = await this.next();
      if (!item) return false;
      if (this.claimed.length > 0 || !this.isDry) this.openLane();
      if (!(await this.tasks.attempt(item))) await this.releaseClaimed();
      return true;
    } finally {
      place.leave();
    }
  }

  private async next(): Promise<Item | undefined> {
    while (!this.isStopped) {
      const item = this.claimed.shift();
      if (item && Date.now() <= item.startBy) return item;
      if (item) await this.tasks.release([item]);
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
    const items = await this.tasks.claim(this.batch);
    if (returns !== this.returns) return void (items.length > 0 && (await this.tasks.release(items)));
    this.claimed.push(...items);
    if (items.length < this.batch && wakes === this.wakes) this.isDry = true;
  }

  private async releaseClaimed(): Promise<void> {
    if (this.claimed.length > 0) await this.tasks.release(this.claimed.splice(0));
  }

  private async end(): Promise<void> {
    this.onEnd();
    await this.releaseClaimed();
    await this.tasks.settled();
    if (this.failure === undefined) this.settle.resolve();
    else this.settle.reject(this.failure);
  }
}
