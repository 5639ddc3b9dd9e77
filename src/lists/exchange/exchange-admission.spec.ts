import type { Caller } from '../../http/caller.js';
import { ExchangeQueue } from './exchange-admission.js';

const by = (credentialId: string, tenantId = 'ten_acme') => ({ tenantId, share: tenantId, credentialId }) as Caller;

describe('exports in progress', () => {
  /** Starts as many as may start, and returns what they and those that wait resolve to. */
  const start = async (queue: ExchangeQueue, ...callers: Caller[]) => {
    const leaves: (() => void)[] = [];
    const begun = callers.map((caller) => queue.enter(caller).then((leave) => leaves.push(leave)));
    await new Promise(setImmediate);
    return { leaves, begun };
  };

  it('leave some to the other keys of the tenant', async () => {
    const queue = new ExchangeQueue('exports');
    const slow = await start(queue, ...Array.from({ length: 6 }, () => by('slow')));
    expect(slow.leaves).toHaveLength(2);
    const other = await start(queue, by('other'));
    expect(other.leaves).toHaveLength(1);
    for (const leave of slow.leaves) leave();
    await Promise.all(slow.begun.slice(0, 4));
    expect(slow.leaves.length).toBeGreaterThanOrEqual(4);
    for (const leave of slow.leaves.slice(2)) leave();
    await Promise.all(slow.begun);
    for (const leave of [...slow.leaves.slice(4), ...other.leaves]) leave();
  });

  it('leave some to the other tenants', async () => {
    const queue = new ExchangeQueue('exports');
    const busy = await start(queue, ...Array.from({ length: 6 }, (_, index) => by(`key ${index}`)));
    const other = await start(queue, by('key', 'ten_other'), by('key', 'ten_other'));
    expect(busy.leaves.length).toBeLessThanOrEqual(4);
    expect(other.leaves).toHaveLength(2);
    let left = 0;
    while (left < busy.begun.length) {
      for (const leave of busy.leaves.slice(left)) leave();
      left = busy.leaves.length;
      await new Promise(setImmediate);
      if (left === busy.leaves.length && left < busy.begun.length) await Promise.race(busy.begun.slice(left));
    }
    for (const leave of other.leaves) leave();
  });
});
