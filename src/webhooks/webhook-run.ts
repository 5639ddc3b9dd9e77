import type { ClaimedDelivery } from './claim.js';
import type { Slots } from './slots.js';

/** Maximum number of attempts to one webhook at once. */
const MAX_LANES = 10;
const MIN_BATCH = MAX_LANES;
const MAX_BATCH = 100;
/**
 * A batch that takes less than `SHORT_MS` is followed by a larger one. A batch that takes more than `LONG_MS` is followed by a smaller one.
 */
const SHORT_MS = 200;
const LONG_MS = 1_000;

/** The operations that a run needs for its webhook. */
export interface RunTasks {
  /** Claims at most `count` deliveries. */
  claim(count: number): Promise<ClaimedDelivery[]>;
  /** Makes the attempt and resolves when it has ended. Resolves to false if the other claimed deliveries must not be sent any more. */
  attempt(delivery: ClaimedDelivery): Promise<boolean>;
  /** Releases claims that were not used. */
  release(deliveries: ClaimedDelivery[]): Promise<void>;
  /** Resolves when every result is stored. */
  settled(): Promise<void>;
}

/**
 * Sends the due deliveries of one webhook. A few lanes, each with one attempt at a time, share the deliveries that were claimed together. A
 * lane that waits for a slow response does not block the others.
 */
export class WebhookRun {
  private settle!: { resolve: () => void; reject: (error: unknown) => void };
  private readonly ended = new Promise<void>((resolve, reject) => (this.settle = { resolve, reject }));
  private readonly claimed: ClaimedDelivery[] = [];
  private lanes = 0;
  private claiming?: Promise<void>;
  private batch = MIN_BATCH;
  private lastClaim = 0;
  /** Increases with each wake-up. A claim that began before a wake-up may have missed the deliveries that caused it. */
  private wakes = 0;
  private isDry = false;
  private isStopped = false;
  private failure?: unknown;

  constructor(
    private readonly tenantId: string,
    private readonly slots: Slots,
    private readonly tasks: RunTasks,
    private readonly onEnd: () => void,
  ) {}

  /** Looks for new deliveries. Resolves when none are left; rejects if a claim or another task failed. */
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

  private openLane(): void {
    if (this.lanes >= this.maxLanes) return;
    this.lanes++;
    void this.lane();
  }

  private get maxLanes(): number {
    return this.slots.crowded ? 1 : MAX_LANES;
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

  /** Handles one delivery. Returns false if there are no more. */
  private async step(): Promise<boolean> {
    const slot = await this.slots.enter(this.tenantId);
    try {
      const delivery = await this.next();
      if (!delivery) return false;
      if (this.claimed.length > 0) this.openLane();
      if (!(await this.tasks.attempt(delivery))) await this.releaseClaimed();
      return true;
    } finally {
      slot.leave();
    }
  }

  private async next(): Promise<ClaimedDelivery | undefined> {
    while (!this.isStopped) {
      const delivery = this.claimed.shift();
      if (delivery && Date.now() <= delivery.startBy) return delivery;
      if (delivery) await this.tasks.release([delivery]);
      else if (this.isDry) return undefined;
      else await (this.claiming ??= this.claim().finally(() => (this.claiming = undefined)));
    }
    return undefined;
  }

  private async claim(): Promise<void> {
    const { wakes } = this;
    const now = Date.now();
    const lasted = now - this.lastClaim;
    if (lasted < SHORT_MS) this.batch = Math.min(this.batch * 2, MAX_BATCH);
    else if (lasted > LONG_MS) this.batch = Math.max(Math.floor(this.batch / 2), MIN_BATCH);
    this.lastClaim = now;
    const deliveries = await this.tasks.claim(this.batch);
    this.claimed.push(...deliveries);
    if (deliveries.length < this.batch && wakes === this.wakes) this.isDry = true;
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
