import type { Permit } from '../../work/fair-semaphore.js';
import { DeliverySemaphore } from './delivery-semaphore.js';

/** Requests a permit. `permit` is set once it is granted. */
function acquire(semaphore: DeliverySemaphore, tenantId: string): { permit?: Permit } {
  const requests: { permit?: Permit } = {};
  void semaphore.acquire(tenantId).then((permit) => (requests.permit = permit));
  return requests;
}

/** Tenants that the test sets back and restores. */
function restrictedTenants() {
  const tenants = new Set<string>();
  let listener: (tenantId: string, isRestricted: boolean) => void = () => undefined;
  return {
    isRestricted: (tenantId: string) => tenants.has(tenantId),
    onRestriction: (one: typeof listener) => void (listener = one),
    set(tenantId: string, isRestricted: boolean) {
      if (isRestricted) tenants.add(tenantId);
      else tenants.delete(tenantId);
      listener(tenantId, isRestricted);
    },
  };
}

const given = (requests: { permit?: Permit }[]) => requests.filter(({ permit }) => permit).length;
const settle = () => jest.advanceTimersByTimeAsync(0);

describe('permits of deliveries', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('are limited to 50 for each tenant and 256 in total', async () => {
    const semaphore = new DeliverySemaphore(restrictedTenants());
    const one = Array.from({ length: 60 }, () => acquire(semaphore, 'ten_a'));
    await settle();
    expect(given(one)).toBe(50);
    const others = Array.from({ length: 300 }, (_, index) => acquire(semaphore, `ten_${index}`));
    await settle();
    expect(given([...one, ...others])).toBe(256);
  });

  it('that become free go to waiting attempts, and tenants take turns', async () => {
    const semaphore = new DeliverySemaphore(restrictedTenants());
    const holders = Array.from({ length: 256 }, (_, index) => acquire(semaphore, `ten_holder${index}`));
    const many = Array.from({ length: 40 }, () => acquire(semaphore, 'ten_many'));
    const few = Array.from({ length: 2 }, () => acquire(semaphore, 'ten_few'));
    await settle();
    expect(given([...many, ...few])).toBe(0);
    for (const { permit } of holders.slice(0, 4)) permit?.release();
    await settle();
    expect([given(many), given(few)]).toEqual([2, 2]);
  });

  it('of slow attempts become free for others', async () => {
    const semaphore = new DeliverySemaphore(restrictedTenants());
    const hanging = Array.from({ length: 50 }, () => acquire(semaphore, 'ten_a'));
    const waiting = acquire(semaphore, 'ten_a');
    await settle();
    expect(given([waiting])).toBe(0);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(given([waiting])).toBe(1);
    for (const { permit } of hanging) permit?.release();
    const next = Array.from({ length: 60 }, () => acquire(semaphore, 'ten_a'));
    await settle();
    expect(given(next)).toBe(49);
  });

  it('are crowded while very many attempts are slow', async () => {
    const semaphore = new DeliverySemaphore(restrictedTenants());
    const requests: { permit?: Permit }[] = [];
    for (let round = 0; round < 5; round++) {
      requests.push(...Array.from({ length: 250 }, (_, index) => acquire(semaphore, `ten_${round}x${index}`)));
      await jest.advanceTimersByTimeAsync(1_000);
    }
    expect(semaphore.crowded).toBe(true);
    for (const { permit } of requests) permit?.release();
    expect(semaphore.crowded).toBe(false);
  });

  it('of tenants whose statements are not answered are no slow receivers, and such a tenant gets one at a time', async () => {
    const database = restrictedTenants();
    const semaphore = new DeliverySemaphore(database);
    for (let round = 0; round < 30; round++) {
      Array.from({ length: 50 }, () => acquire(semaphore, 'ten_hung'));
      await jest.advanceTimersByTimeAsync(1_000);
    }
    expect(semaphore.crowded).toBe(true);
    database.set('ten_hung', true);
    expect(semaphore.crowded).toBe(false);
    const more = Array.from({ length: 10 }, () => acquire(semaphore, 'ten_hung'));
    await settle();
    expect(given(more)).toBe(1);
    await jest.advanceTimersByTimeAsync(1_000);
    expect([given(more), semaphore.crowded]).toEqual([2, false]);
    database.set('ten_hung', false);
    await settle();
    expect([given(more), semaphore.crowded]).toEqual([10, true]);
  });
});
