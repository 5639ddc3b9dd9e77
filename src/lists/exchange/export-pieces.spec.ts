import type { Caller } from '../../http/caller.js';
import { ExchangeQueue } from './exchange-admission.js';
import { exportPieces } from './export-pieces.js';

interface Row {
  fields: string | null;
}

/** Exports pages of one row each. A page that is an error cannot be read. */
function exportOf(pages: readonly (string | Error)[]) {
  const queue = new ExchangeQueue('exports');
  const reads: number[] = [];
  let refusal: Error | undefined;
  const pieces = exportPieces({
    queue,
    caller: { tenantId: 'ten_acme', share: 'ten_acme', credentialId: 'key' } as Caller,
    assertAdmitted: () => (refusal ? Promise.reject(refusal) : Promise.resolve()),
    read: async (cursor) => {
      const number = Number(cursor);
      reads.push(number);
      await Promise.resolve();
      const page = pages[number];
      if (page instanceof Error) throw page;
      const rows: Row[] = [{ fields: page ?? '' }];
      const large = { sizes: () => Promise.resolve([]), rows: () => Promise.resolve([]) };
      return { rows, large, meta: { next_cursor: number + 1 < pages.length ? String(number + 1) : null } };
    },
    head: () => 'head ',
    write: (_page, rows) => Promise.resolve(rows.map(({ fields }) => `${fields} `).join('')),
  });
  return { pieces, reads, queue, refuse: (error: Error) => (refusal = error) };
}

describe('an export', () => {
  it('reads one page ahead of the client', async () => {
    const { pieces, reads } = exportOf(['a', 'b', 'c']);
    expect((await pieces.next()).value).toBe('head ');
    expect(reads).toEqual([0]);
    expect((await pieces.next()).value).toBe('a ');
    expect(reads).toEqual([0, 1]);
    expect((await pieces.next()).value).toBe('b ');
    expect((await pieces.next()).value).toBe('c ');
    expect((await pieces.next()).done).toBe(true);
    expect(reads).toEqual([0, 1, 2]);
  });

  it('ends before a page that the caller may not read any more', async () => {
    const { pieces, reads, queue, refuse } = exportOf(['a', 'b', 'c']);
    await pieces.next();
    expect((await pieces.next()).value).toBe('a ');
    refuse(new Error('revoked'));
    expect((await pieces.next()).value).toBe('b ');
    await expect(pieces.next()).rejects.toThrow('revoked');
    expect(reads).toEqual([0, 1]);
    expect(queue.running).toBe(0);
  });

  it('sends what precedes a page that cannot be read, and ends with its error', async () => {
    const { pieces, queue } = exportOf(['a', new Error('away')]);
    expect([(await pieces.next()).value, (await pieces.next()).value]).toEqual(['head ', 'a ']);
    await expect(pieces.next()).rejects.toThrow('away');
    expect(queue.running).toBe(0);
  });

  it('ends quietly if the client leaves before a page that cannot be read', async () => {
    const { pieces, queue } = exportOf(['a', new Error('away')]);
    await pieces.next();
    await pieces.next();
    await pieces.return(undefined);
    expect(queue.running).toBe(0);
  });
});
