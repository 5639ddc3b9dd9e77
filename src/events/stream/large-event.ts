import type { Reservation } from '../../admission/byte-budget.js';

/** Reads the lines of a large event. Returns undefined if the event no longer exists. Rejects with 503 if memory has no place for it. */
export type ReadLarge = (id: string) => Promise<{ lines: Buffer; head: string; reservation: Reservation } | undefined>;

/**
 * An event of the feed that is too large to be held for readers that may come. It is read when the first reader needs it, and held until the
 * last one has it. It takes the place of a chunk: all events after `from` up to `to` are this one.
 */
export class LargeEvent {
  readonly bytes = 0;
  private holders = 0;
  private loading?: ReturnType<ReadLarge>;

  constructor(
    readonly from: bigint,
    readonly to: bigint,
    readonly type: string,
    private readonly id: string,
    private readonly read: ReadLarge,
  ) {}

  /** Calls `use` with the lines, and the beginning of the data. They are counted until it resolves. Does not call it if the event no longer exists. */
  async with(use: (lines: Buffer, head: string) => Promise<void>): Promise<void> {
    this.holders++;
    const loading = (this.loading ??= this.read(this.id));
    try {
      const loaded = await loading;
      if (loaded) await use(loaded.lines, loaded.head);
    } catch (error) {
      if (this.loading === loading) await this.forgetFailed(loading);
      throw error;
    } finally {
      if (--this.holders === 0) await this.release();
    }
  }

  /** The next reader tries again. */
  private async forgetFailed(loading: ReturnType<ReadLarge>): Promise<void> {
    const hasFailed = await loading.then(
      () => false,
      () => true,
    );
    if (hasFailed && this.loading === loading) this.loading = undefined;
  }

  private async release(): Promise<void> {
    const { loading } = this;
    this.loading = undefined;
    const loaded = await loading?.catch(() => undefined);
    loaded?.reservation.release();
  }
}
