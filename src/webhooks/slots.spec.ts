import type { Place } from '../work/places.js';
import { Slots } from './slots.js';

/** Requests a slot. `slot` is set once it is granted. */
function enter(slots: Slots, tenantId: string): { slot?: Place } {
  const entered: { slot?: Place } = {};
  void slots.enter(tenantId).then((slot) => (entered.slot = slot));
  return entered;
}

/** Tenants that the test sets back and restores. */
function setBacks() {
  const tenants = new Set<string>();
  let listener: (tenantId: string, isSetBack: boolean) => void = () => undefined;
  return {
    isSetBack: (tenantId: string) => tenants.has(tenantId),
    onSetBack: (one: typeof listener) => void (listener = one),
    set(tenantId: string, isSetBack: boolean) {
      if (isSetBack) tenants.add(tenantId);
      else tenants.delete(tenantId);
      listener(tenantId, isSetBack);
    },
  };
}

const given = (entered: { slot?: Place }[]) => entered.filter(({ slot }) => slot).length;
const settle = () => jest.advanceTimersByTimeAsync(0);

describe('slots', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('are limited to 50 for each tenant and 256 in total', async () => {
    const slots = new Slots(setBacks());
    const one = Array.from({ length: 60 }, () => enter(slots, 'ten_a'));
    await settle();
    expect(given(one)).toBe(50);
    const others = Array.from({ length: 300 }, (_, index) => enter(slots, `ten_${index}`));
    await settle();
    expect(given([...one, ...others])).toBe(256);
  });

  it('that become free go to waiting attempts, and tenants take turns', async () => {
    const slots = new Slots(setBacks());
    const holders = Array.from({ length: 256 }, (_, index) => enter(slots, `ten_holder${index}`));
    const many = Array.from({ length: 40 }, () => enter(slots, 'ten_many'));
    const few = Array.from({ length: 2 }, () => enter(slots, 'ten_few'));
    await settle();
    expect(given([...many, ...few])).toBe(0);
    for (const { slot } of holders.slice(0, 4)) slot?.leave();
    await settle();
    expect([given(many), given(few)]).toEqual([2, 2]);
  });

  it('of slow attempts become free for others', async () => {
    const slots = new Slots(setBacks());
    const hanging = Array.from({ length: 50 }, () => enter(slots, 'ten_a'));
    const waiting = enter(slots, 'ten_a');
    await settle();
    expect(given([waiting])).toBe(0);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(given([waiting])).toBe(1);
    for (const { slot } of hanging) slot?.leave();
    const next = Array.from({ length: 60 }, () => enter(slots, 'ten_a'));
    await settle();
    expect(given(next)).toBe(49);
  });

  it('are crowded while very many attempts are slow', async () => {
    const slots = new Slots(setBacks());
    const entered: { slot?: Place }[] = [];
    for (let round = 0; round < 5; round++) {
      entered.push(...Array.from({ length: 250 }, (_, index) => enter(slots, `ten_${round}x${index}`)));
      await jest.advanceTimersByTimeAsync(1_000);
    }
    expect(slots.crowded).toBe(true);
    for (const { slot } of entered) slot?.leave();
    expect(slots.crowded).toBe(false);
  });

  it('of tenants whose statements are not answered are no slow receivers, and such a tenant gets one at a time', async () => {
    const database = setBacks();
    const slots = new Slots(database);
    for (let round = 0; round < 30; round++) {
      Array.from({ length: 50 }, () => enter(slots, 'ten_hung'));
      await jest.advanceTimersByTimeAsync(1_000);
    }
    expect(slots.crowded).toBe(true);
    database.set('ten_hung', true);
    expect(slots.crowded).toBe(false);
    const more = Array.from({ length: 10 }, () => enter(slots, 'ten_hung'));
    await settle();
    expect(given(more)).toBe(1);
    await jest.advanceTimersByTimeAsync(1_000);
    expect([given(more), slots.crowded]).toEqual([2, false]);
    database.set('ten_hung', false);
    await settle();
    expect([given(more), slots.crowded]).toEqual([10, true]);
  });
});
