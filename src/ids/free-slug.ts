import { numberedSlug } from './slug.js';

/** Numbers that are checked together. */
const BLOCK = 100;
/** Offers the lowest free number this many times. Later tries choose at random from a growing range, to avoid concurrent writers. */
const LOWEST_TRIES = 10;

/**
 * Finds free numbers for a slug that is taken: the lowest free one of the first hundred, otherwise one that follows a taken number. This
 * needs only a few index lookups, however many numbers are taken.
 */
export class FreeSlug {
  private tries = 0;

  /** `taken` returns which of the given slugs are taken. */
  constructor(
    private readonly slug: string,
    private readonly taken: (slugs: readonly string[]) => Promise<ReadonlySet<string>>,
  ) {}

  async next(): Promise<string> {
    const choice = this.choice();
    const free = await this.freeOf(Array.from({ length: BLOCK }, (_, index) => index + 2));
    const number = free[Math.min(choice, free.length - 1)] ?? (await this.end(BLOCK + 1)) + choice;
    return numberedSlug(this.slug, number);
  }

  /** Returns how many free numbers to skip: 0 until concurrent writers have been faster several times. */
  private choice(): number {
    this.tries++;
    return Math.floor(Math.random() * 2 ** Math.max(0, this.tries - LOWEST_TRIES));
  }

  /** Returns a free number above `low`, which is taken. The number before it is taken too. Doubles the distance, then halves it. */
  private async end(low: number): Promise<number> {
    let taken = low;
    let free = low * 2;
    while ((await this.freeOf([free])).length === 0) {
      taken = free;
      free *= 2;
    }
    while (free - taken > 1) {
      const middle = Math.floor((taken + free) / 2);
      if ((await this.freeOf([middle])).length > 0) free = middle;
      else taken = middle;
    }
    return free;
  }

  private async freeOf(numbers: readonly number[]): Promise<number[]> {
    const taken = await this.taken(numbers.map((number) => numberedSlug(this.slug, number)));
    return numbers.filter((number) => !taken.has(numberedSlug(this.slug, number)));
  }
}
