import { EventChunk } from './event-chunk.js';
import { TenantTail } from './tenant-tail.js';

const ALL = { list: 'events ', types: undefined };
const ONLY_B = { list: 'events b', types: new Set(['b']) };

function chunksOf(from: number, to: number, types: readonly string[], data = '{}'): EventChunk[] {
  const rows = types.map((type, index) => ({
    id: String(from + index + 1),
    position: BigInt(from + index + 1),
    type,
    occurredAt: '2026-01-31T09:30:00.000Z',
    data,
  }));
  return EventChunk.of(BigInt(from), BigInt(to), rows, (row) => row.data);
}
const typesIn = (text: Buffer | undefined) =>
  [...String(text ?? '').matchAll(/^event: (.*)$/gm)].map(([, type]) => type);

describe('a chunk of events', () => {
  it('contains the selected events after a position', () => {
    const [chunk] = chunksOf(10, 20, ['a', 'b', 'a']);
    expect(typesIn(chunk?.textAfter(10n, ALL))).toEqual(['a', 'b', 'a']);
    expect(typesIn(chunk?.textAfter(11n, ALL))).toEqual(['b', 'a']);
    expect(typesIn(chunk?.textAfter(10n, ONLY_B))).toEqual(['b']);
    expect(chunk?.textAfter(12n, ONLY_B)).toBeUndefined();
  });

  it('is the same text for all readers of the same types', () => {
    const [chunk] = chunksOf(0, 3, ['a', 'b', 'a']);
    expect(chunk?.textAfter(0n, ALL)).toBe(chunk?.textAfter(0n, { ...ALL }));
  });

  it('ends before it has more than 64 KiB, and the last one reaches to the end', () => {
    const chunks = chunksOf(0, 9, ['a', 'a', 'a'], `"${'x'.repeat(40_000)}"`);
    expect(chunks.map(({ from, to }) => [from, to])).toEqual([
      [0n, 1n],
      [1n, 2n],
      [2n, 9n],
    ]);
  });

  it('has each event on lines of its own, whatever line breaks its JSON has', () => {
    const [chunk] = chunksOf(0, 1, ['a'], '{\r\n"a":\n1}');
    expect(String(chunk?.textAfter(0n, ALL))).toMatch(/^id: \S+\nevent: a\ndata: \{ "a": 1\}\n\n$/);
  });
});

describe('the tail of a tenant', () => {
  const page = (from: number, to: number, data?: string) => {
    const types = Array.from({ length: to - from }, () => 'a');
    return { parts: chunksOf(from, to, types, data), to: BigInt(to), isFull: false };
  };

  it('gives each reader the part after its position, and lets it wait at the end', () => {
    const tail = new TenantTail(5n);
    expect(tail.next(5n)).toBe('wait');
    expect(tail.next(4n)).toBe('behind');
    tail.add(page(5, 7), 1_000_000);
    tail.add(page(7, 9), 1_000_000);
    expect([5n, 6n, 7n, 8n].map((position) => (tail.next(position) as EventChunk).to)).toEqual([7n, 7n, 9n, 9n]);
    expect(tail.next(9n)).toBe('wait');
    // A cursor of a backup that is newer than the database.
    expect(tail.next(99n)).toBe('wait');
  });

  it('forgets the oldest parts beyond its bytes, but not the last one', () => {
    const tail = new TenantTail(0n);
    for (let end = 1; end <= 5; end++) tail.add(page(end - 1, end, `"${'x'.repeat(1_000)}"`), 2_500);
    expect(tail.next(2n)).toBe('behind');
    expect(tail.next(3n)).toBeInstanceOf(EventChunk);
    tail.add(page(5, 6, `"${'x'.repeat(9_000)}"`), 2_500);
    expect(tail.next(4n)).toBe('behind');
    expect(tail.next(5n)).toBeInstanceOf(EventChunk);
  });

  it('wakes its readers until they leave', () => {
    const tail = new TenantTail(0n);
    const wake = jest.fn();
    const leave = tail.join(wake);
    tail.add(page(0, 1), 1_000);
    expect(wake).toHaveBeenCalledTimes(1);
    leave();
    tail.add(page(1, 2), 1_000);
    expect(wake).toHaveBeenCalledTimes(1);
    expect(tail.isUnused).toBe(true);
  });
});
