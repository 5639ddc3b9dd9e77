import fc from 'fast-check';
import { nextAttemptAt } from './retry-schedule.js';

const now = new Date('2026-01-31T09:30:00.000Z');
const HOUR = 3_600_000;
const middle = () => 0.5;

/** Milliseconds to the next attempt after the first failure, with a scheduled pause of 5 s and no jitter. */
function pauseWith(retryAfter?: string): number | undefined {
  const next = nextAttemptAt({ schedule: [5_000], attempt: 1, now, retryAfter, random: middle });
  return next && next.getTime() - now.getTime();
}

describe('the retry schedule', () => {
  it('has a pause after each attempt', () => {
    const schedule = [5_000, 300_000, HOUR];
    const pauses = schedule.map((_, index) => {
      const next = nextAttemptAt({ schedule, attempt: index + 1, now, random: middle });
      return (next?.getTime() ?? NaN) - now.getTime();
    });
    expect(pauses).toEqual(schedule);
  });

  it('is exhausted after its last pause', () => {
    expect(nextAttemptAt({ schedule: [], attempt: 1, now })).toBeUndefined();
    expect(nextAttemptAt({ schedule: [5_000], attempt: 2, now, retryAfter: '60' })).toBeUndefined();
  });

  it('varies each pause by up to 20 %', () => {
    fc.assert(
      fc.property(fc.nat(HOUR), fc.double({ min: 0, max: 1, noNaN: true }), (pause, chance) => {
        const next = nextAttemptAt({ schedule: [pause], attempt: 1, now, random: () => chance });
        const actual = (next?.getTime() ?? NaN) - now.getTime();
        return actual >= Math.floor(pause * 0.8) && actual <= Math.ceil(pause * 1.2);
      }),
    );
    const first = nextAttemptAt({ schedule: [10_000], attempt: 1, now, random: () => 0 });
    expect(first?.toISOString()).toBe('2026-01-31T09:30:08.000Z');
    expect(
      new Set(Array.from({ length: 20 }, () => nextAttemptAt({ schedule: [HOUR], attempt: 1, now })?.getTime())).size,
    ).toBeGreaterThan(10);
  });
});

describe('Retry-After', () => {
  it('delays the attempt by its number of seconds', () => expect(pauseWith('120')).toBe(120_000));

  it.each(['Sat, 31 Jan 2026 09:32:00 GMT', 'Saturday, 31-Jan-26 09:32:00 GMT', ' Sat, 31 Jan 2026 09:32:00 GMT '])(
    'delays the attempt until its date: %s',
    (date) => expect(pauseWith(date)).toBe(120_000),
  );

  it('never makes the attempt earlier than scheduled', () => {
    for (const early of ['0', '1', 'Thu, 01 Jan 1970 00:00:00 GMT']) expect(pauseWith(early)).toBe(5_000);
  });

  it('delays the attempt by at most 24 hours', () => {
    for (const late of ['86401', '9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT'])
      expect(pauseWith(late)).toBe(24 * HOUR);
  });

  it.each([
    undefined,
    '',
    'soon',
    '-60',
    '1.5',
    '60s',
    '0x3c',
    '1e3',
    '60, 60',
    '2027-01-01',
    'Sat, 99 Foo 2026 09:32:00 GMT',
    'GMT',
  ])('is ignored when it is invalid: %j', (garbage) => expect(pauseWith(garbage)).toBe(5_000));

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => Number.isFinite(pauseWith(text))));
  });
});
