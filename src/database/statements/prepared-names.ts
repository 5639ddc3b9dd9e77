import { LRUCache } from 'lru-cache';

/** Every connection caches a plan for each name, which takes memory. */
const MAX_NAMES = 100;
/** Requests without an API key can take only these, so that strangers cannot use up all of them. */
const MAX_PUBLIC_NAMES = 50;
/** A text that was sent this often gets a name. */
const REPETITIONS = 3;
/** Characters of a text that gets a name. The plan takes about a hundred times as many bytes, on every connection. */
const MAX_LENGTH = 10_000;
/** Texts that are counted at once. */
const MAX_COUNTED = 1_000;

/** Gives names to composed statements that are sent repeatedly, so that they are prepared. */
export class PreparedNames {
  private readonly names = new Map<string, string>();
  private readonly counts = new LRUCache<string, number>({ max: MAX_COUNTED });

  /** Returns the name to prepare the text under; undefined while it should be sent unprepared. */
  nameOf(text: string, isPublic = false): string | undefined {
    if (text.length > MAX_LENGTH) return undefined;
    const name = this.names.get(text);
    if (name !== undefined || this.names.size >= (isPublic ? MAX_PUBLIC_NAMES : MAX_NAMES)) return name;
    const count = (this.counts.get(text) ?? 0) + 1;
    if (count < REPETITIONS) {
      this.counts.set(text, count);
      return undefined;
    }
    this.counts.delete(text);
    const given = `composed.${this.names.size}`;
    this.names.set(text, given);
    return given;
  }
}
