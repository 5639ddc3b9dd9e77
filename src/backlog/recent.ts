/** A reading that took `n` milliseconds is returned again for `n` times this. Reading therefore takes at most a twentieth of the time. */
const REST_FACTOR = 20;

/** Reads a value at most once at a time, and returns it for `minMs`, or for longer if reading took long. Failures are not kept. */
export class Recent<Value> {
  private latest?: { value: Value; until: number };
  private reading?: Promise<Value>;

  constructor(
    private readonly minMs: number,
    private readonly read: () => Promise<Value>,
  ) {}

  async get(): Promise<Value> {
    if (this.latest && performance.now() < this.latest.until) return this.latest.value;
    this.reading ??= this.readNow().finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async readNow(): Promise<Value> {
    const started = performance.now();
    const value = await this.read();
    const ended = performance.now();
    this.latest = { value, until: ended + Math.max(this.minMs, (ended - started) * REST_FACTOR) };
    return value;
  }
}
