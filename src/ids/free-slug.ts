import { numberedSlug } from './slug.js';

/** Numbers that are looked at together. */
const BLOCK = 100;
/** So often the lowest free number is offered; whoever finds it taken then picks one of more and more. */
const LOWEST_TRIES = 10;

/**
 * Finds free numbers for a slug that is taken: the lowest while there is one among the first hundred, else one behind numbers that are taken.
 * That costs a few look-ups in the index however many there are.
 */
export class FreeSlug {
  private tries = 0;

  /** `taken` answers which of some slugs are taken. */
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

  /** How many free numbers to pass over: none, until others were quicker again and again. */
  private choice(): number {
    this.tries++;
    return Math.floor(Math.random() * 2 ** Math.max(0, this.tries - LOWEST_TRIES));
  }

  /** A free number behind `low`, which is taken, as the number before it is: doubles the distance, then halves it. */
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
