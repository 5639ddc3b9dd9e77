/** How many lines may be written at once, and how many per second after that. */
interface LineRate {
  burst: number;
  perSecond: number;
}

interface Bucket {
  left: number;
  at: number;
  omitted: number;
}

/** Keeps a flood of similar lines from filling the disk. Each key has a separate budget. */
export class LineBudget {
  private readonly buckets = new Map<string, Bucket>();

  /** The number of keys must be bounded, such as the number of tenants. Tests set `now`, which returns milliseconds. */
  constructor(
    private readonly rate: LineRate,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Returns how many lines of the key were omitted since its last one; undefined if this line must be omitted too. */
  take(key: string): number | undefined {
    const bucket = this.refilled(key);
    if (bucket.left < 1) {
      bucket.omitted++;
      return undefined;
    }
    bucket.left--;
    const { omitted } = bucket;
    bucket.omitted = 0;
    return omitted;
  }

  private refilled(key: string): Bucket {
    const { burst, perSecond } = this.rate;
    const at = this.now();
    const bucket = this.buckets.get(key) ?? { left: burst, at, omitted: 0 };
    bucket.left = Math.min(burst, bucket.left + ((at - bucket.at) / 1_000) * perSecond);
    bucket.at = at;
    this.buckets.set(key, bucket);
    return bucket;
  }
}
