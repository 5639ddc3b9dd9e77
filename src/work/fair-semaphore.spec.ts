import { FairSemaphore, type Permit } from './fair-semaphore.js';

/** A semaphore, with a function that says whether the statements of a tenant are answered. */
function build(count: number) {
  let listener: (tenantId: string, isRestricted: boolean) => void = () => undefined;
  const semaphore = new FairSemaphore(count, {
    isRestricted: () => false,
    onRestriction: (one) => void (listener = one),
  });
  return { semaphore, restrict: (tenantId: string, isRestricted = true) => listener(tenantId, isRestricted) };
}

function acquire(semaphore: FairSemaphore, tenantId: string): { permit?: Permit } {
  const request: { permit?: Permit } = {};
  void semaphore.acquire(tenantId).then((permit) => (request.permit = permit));
  return request;
}

const settle = () => new Promise((resolve) => setImmediate(resolve));
const given = (request: { permit?: Permit }[]) => request.filter(({ permit }) => permit).length;

describe('permits', () => {
  it('of tenants whose statements are not answered go to others', async () => {
    const { semaphore, restrict } = build(6);
    const hung = ['ten_a', 'ten_b', 'ten_c', 'ten_d', 'ten_e', 'ten_f'].map((tenantId) => acquire(semaphore, tenantId));
    const waiting = Array.from({ length: 3 }, () => acquire(semaphore, 'ten_other'));
    await settle();
    const [before, free] = [given(hung), 6 - given(hung)];
    expect(given(waiting)).toBeLessThanOrEqual(free);
    for (const tenantId of ['ten_a', 'ten_b', 'ten_c', 'ten_d', 'ten_e', 'ten_f']) restrict(tenantId);
    await settle();
    expect(given(waiting)).toBe(3);
    // Together, these tenants have a fifth from now on.
    const more = ['ten_a', 'ten_b', 'ten_c'].map((tenantId) => acquire(semaphore, tenantId));
    await settle();
    expect(given(more) + given(hung) - before).toBeLessThanOrEqual(1);
  });

  it('that were given away count again when the statements are answered, and are released once', async () => {
    const { semaphore, restrict } = build(2);
    const one = acquire(semaphore, 'ten_a');
    await settle();
    restrict('ten_a');
    const others = ['ten_b', 'ten_c'].map((tenantId) => acquire(semaphore, tenantId));
    await settle();
    expect(given(others)).toBeGreaterThan(0);
    restrict('ten_a', false);
    one.permit?.release();
    for (const { permit } of others) permit?.release();
    await settle();
    const next = ['ten_d', 'ten_e', 'ten_f'].map((tenantId) => acquire(semaphore, tenantId));
    await settle();
    expect(given(next)).toBe(2);
  });

  it('are given away as many times as there are permits, and no more', async () => {
    const { semaphore, restrict } = build(2);
    const hung: { permit?: Permit }[] = [];
    for (let index = 0; index < 10; index++) {
      hung.push(acquire(semaphore, `ten_${index}`));
      await settle();
      restrict(`ten_${index}`);
      await settle();
    }
    expect(given(hung)).toBeLessThanOrEqual(4);
  });
});
