import { encodeCursor } from '../../lists/cursor.js';
import type { EventRow } from '../event-presenter.js';
import type { EventSelection } from '../feed/event-selection.js';
import { HEAD_LENGTH, isVisible } from '../feed/visible-events.js';

/** An event of the feed whose data is small enough to be held. `position` is a bigint. */
export type PlacedRow = EventRow & { position: bigint };

/** The text of a chunk has at most this many bytes, unless one event has more. A reader holds at most one chunk. */
const CHUNK_BYTES = 65_536;
/** Texts that a chunk keeps, for readers with equal selections. Other readers make their own. */
const KEPT_TEXTS = 4;

/** Returns the line with the cursor after an event. The browser sends it as `Last-Event-ID` when it connects again. */
export function idLine(position: bigint, { list }: EventSelection): string {
  return `id: ${encodeCursor([String(position)], list)}\n`;
}

/** Returns the other lines of an event in the format `text/event-stream`. JSON has line breaks only between its tokens. */
export function eventLines(type: string, body: string): string {
  return `event: ${type}\ndata: ${/[\r\n]/.test(body) ? body.replace(/[\r\n]+/g, ' ') : body}\n\n`;
}

interface ChunkEvent {
  position: bigint;
  type: string;
  lines: string;
  /** The beginning of the data. */
  head: string;
}

/** Successive events of a tenant, as readers receive them: all events after the position `from`, up to the position `to`. */
export class EventChunk {
  private readonly texts = new Map<string, Buffer>();

  private constructor(
    readonly from: bigint,
    readonly to: bigint,
    private readonly events: readonly ChunkEvent[],
    readonly bytes: number,
  ) {}

  /** Splits rows that follow `from`. The last chunk reaches to `to`. `present` returns the body of an event. */
  static of(from: bigint, to: bigint, rows: readonly PlacedRow[], present: (row: EventRow) => string): EventChunk[] {
    const chunks: EventChunk[] = [];
    let [events, bytes, start] = [[] as ChunkEvent[], 0, from];
    for (const row of rows) {
      const lines = eventLines(row.type, present(row));
      const size = Buffer.byteLength(lines);
      const last = events.at(-1);
      if (last && bytes + size > CHUNK_BYTES) {
        chunks.push(new EventChunk(start, last.position, events, bytes));
        [events, bytes, start] = [[], 0, last.position];
      }
      events.push({ position: row.position, type: row.type, lines, head: row.data.slice(0, HEAD_LENGTH) });
      bytes += size;
    }
    if (to > start) chunks.push(new EventChunk(start, to, events, bytes));
    return chunks;
  }

  /** Returns the events after a position that the selection contains; undefined if there are none. */
  textAfter(position: bigint, selection: EventSelection): Buffer | undefined {
    if (position > this.from || selection.visibleTypes) return this.compose(position, selection);
    const known = this.texts.get(selection.list);
    if (known) return known.length === 0 ? undefined : known;
    const text = this.compose(position, selection);
    if (this.texts.size < KEPT_TEXTS) this.texts.set(selection.list, text ?? EMPTY);
    return text;
  }

  private compose(position: bigint, selection: EventSelection): Buffer | undefined {
    const { types, visibleTypes } = selection;
    let text = '';
    for (const event of this.events) {
      if (event.position <= position || types?.has(event.type) === false) continue;
      if (!isVisible(visibleTypes, { type: event.type, data: event.head })) continue;
      text += idLine(event.position, selection) + event.lines;
    }
    return text === '' ? undefined : Buffer.from(text);
  }
}

const EMPTY = Buffer.alloc(0);
