import type { EventChunk } from './event-chunk.js';
import type { LargeEvent } from './large-event.js';

/** A part of the feed that readers take as a whole. */
export type FeedPart = EventChunk | LargeEvent;

/** What a reader does next: send a part, read its own page, or wait. */
export type Next = FeedPart | 'behind' | 'wait';

/** A part of the feed, and how far it leads. */
export interface TailPage {
  parts: readonly FeedPart[];
  /** The position that the page leads to: every event up to it is in the parts. */
  to: bigint;
  /** Whether more events may follow. */
  isFull: boolean;
}

/**
 * The latest events of one tenant, read once for all readers at the end of the feed. Readers pull from it, so a slow one holds nothing here: it
 * falls behind, and reads pages of its own until it has caught up.
 */
export class TenantTail {
  private parts: FeedPart[] = [];
  private bytes = 0;
  private readonly readers = new Set<() => void>();

  /** @param position the end of the feed when the tail begins. */
  constructor(public position: bigint) {}

  get isUnused(): boolean {
    return this.readers.size === 0;
  }

  /** Calls `wake` after each change, until the returned function is called. */
  join(wake: () => void): () => void {
    this.readers.add(wake);
    return () => void this.readers.delete(wake);
  }

  next(position: bigint): Next {
    if (position >= this.position) return 'wait';
    const [oldest] = this.parts;
    if (!oldest || position < oldest.from) return 'behind';
    // Most readers are at one of the last parts.
    return this.parts.findLast(({ from }) => from <= position) ?? 'behind';
  }

  /** Adds what follows, forgets the oldest parts beyond `maxBytes`, and wakes the readers. */
  add({ parts, to }: TailPage, maxBytes: number): void {
    this.position = to;
    for (const part of parts) {
      this.parts.push(part);
      this.bytes += part.bytes;
    }
    this.trim(maxBytes);
    if (parts.length > 0) for (const wake of this.readers) wake();
  }

  private trim(maxBytes: number): void {
    let first = 0;
    for (; first < this.parts.length - 1 && (this.bytes > maxBytes || this.parts.length - first > MAX_PARTS); first++) {
      this.bytes -= this.parts[first]?.bytes ?? 0;
    }
    if (first > 0) this.parts = this.parts.slice(first);
  }
}

/** Small parts are many if events come one by one. */
const MAX_PARTS = 1_000;
