import { Recent } from './recent.js';

describe('a recent value', () => {
  let now = 0;
  beforeEach(() => {
    now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => jest.restoreAllMocks());

  /** Reads 1, 2, 3 …; each reading takes `ms`. */
  const counting = (ms: number) => {
    let count = 0;
    return new Recent(1_000, () => {
      now += ms;
      return Promise.resolve(++count);
    });
  };

  it('is returned again until its time is over', async () => {
    const recent = counting(10);
    expect(await recent.get()).toBe(1);
    now += 999;
    expect(await recent.get()).toBe(1);
    now += 2;
    expect(await recent.get()).toBe(2);
  });

  it('that took long is returned for longer', async () => {
    const recent = counting(500);
    expect(await recent.get()).toBe(1);
    now += 9_999;
    expect(await recent.get()).toBe(1);
    now += 2;
    expect(await recent.get()).toBe(2);
  });

  it('is read once for all who ask at the same time', async () => {
    const recent = counting(10);
    expect(await Promise.all([recent.get(), recent.get(), recent.get()])).toEqual([1, 1, 1]);
  });

  it('is read again after a failure', async () => {
    let tries = 0;
    const recent = new Recent(1_000, () =>
      ++tries === 1 ? Promise.reject(new Error('away')) : Promise.resolve(tries),
    );
    await expect(recent.get()).rejects.toThrow('away');
    expect(await recent.get()).toBe(2);
  });
});
