/** How many lines may be written at once, and how many a second from then on. */
export interface LineRate {
  burst: number;
  perSecond: number;
}

interface Bucket {
  left: number;
  at: number;
  omitted: number;
}

/** Keeps a flood of similar lines from filling the disk: each key has a budget of its own. */
export class LineBudget {
  private readonly buckets = new Map<string, Bucket>();

  /** Keys must be of a bounded number, such as the tenants there are. `now` in milliseconds is for tests. */
  constructor(
    private readonly rate: LineRate,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** How many lines of the key were left out since its last one; undefined when this one is to be left out too. */
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
