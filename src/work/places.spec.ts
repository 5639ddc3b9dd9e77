import { FairPlaces, type Place } from './places.js';

/** Places, with a function that says whether the statements of a tenant are answered. */
function build(count: number) {
  let listener: (tenantId: string, isSetBack: boolean) => void = () => undefined;
  const places = new FairPlaces(count, { isSetBack: () => false, onSetBack: (one) => void (listener = one) });
  return { places, setBack: (tenantId: string, isSetBack = true) => listener(tenantId, isSetBack) };
}

function enter(places: FairPlaces, tenantId: string): { place?: Place } {
  const entered: { place?: Place } = {};
  void places.enter(tenantId).then((place) => (entered.place = place));
  return entered;
}

const settle = () => new Promise((resolve) => setImmediate(resolve));
const given = (entered: { place?: Place }[]) => entered.filter(({ place }) => place).length;

describe('places', () => {
  it('of tenants whose statements are not answered go to others', async () => {
    const { places, setBack } = build(6);
    const hung = ['ten_a', 'ten_b', 'ten_c', 'ten_d', 'ten_e', 'ten_f'].map((tenantId) => enter(places, tenantId));
    const waiting = Array.from({ length: 3 }, () => enter(places, 'ten_other'));
    await settle();
    const [before, free] = [given(hung), 6 - given(hung)];
    expect(given(waiting)).toBeLessThanOrEqual(free);
    for (const tenantId of ['ten_a', 'ten_b', 'ten_c', 'ten_d', 'ten_e', 'ten_f']) setBack(tenantId);
    await settle();
    expect(given(waiting)).toBe(3);
    // Together, these tenants have a fifth from now on.
    const more = ['ten_a', 'ten_b', 'ten_c'].map((tenantId) => enter(places, tenantId));
    await settle();
    expect(given(more) + given(hung) - before).toBeLessThanOrEqual(1);
  });

  it('that were given away count again when the statements are answered, and are left once', async () => {
    const { places, setBack } = build(2);
    const one = enter(places, 'ten_a');
    await settle();
    setBack('ten_a');
    const others = ['ten_b', 'ten_c'].map((tenantId) => enter(places, tenantId));
    await settle();
    expect(given(others)).toBeGreaterThan(0);
    setBack('ten_a', false);
    one.place?.leave();
    for (const { place } of others) place?.leave();
    await settle();
    const next = ['ten_d', 'ten_e', 'ten_f'].map((tenantId) => enter(places, tenantId));
    await settle();
    expect(given(next)).toBe(2);
  });

  it('are given away as many times as there are places, and no more', async () => {
    const { places, setBack } = build(2);
    const hung: { place?: Place }[] = [];
    for (let index = 0; index < 10; index++) {
      hung.push(enter(places, `ten_${index}`));
      await settle();
      setBack(`ten_${index}`);
      await settle();
    }
    expect(given(hung)).toBeLessThanOrEqual(4);
  });
});
