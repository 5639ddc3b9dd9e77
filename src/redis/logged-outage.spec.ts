import { LoggedOutage } from './logged-outage.js';

const MINUTE = 60_000;

describe('an outage of Redis', () => {
  const lines: string[] = [];
  const keep = (line: unknown) => void lines.push(String(line));
  let outage: LoggedOutage;

  beforeEach(() => {
    jest.useFakeTimers();
    lines.length = 0;
    outage = new LoggedOutage({ log: keep, warn: keep });
  });
  afterEach(() => {
    outage.onApplicationShutdown();
    jest.useRealTimers();
  });

  const refused = Object.assign(new Error(), { code: 'ECONNREFUSED' });

  /** Every user of Redis fails ten times a second. */
  const fail = (milliseconds: number) => {
    for (let time = 0; time < milliseconds; time += 100) {
      for (const user of ['queue events', 'queue mail', 'rate limits']) outage.begin(user, refused);
      jest.advanceTimersByTime(100);
    }
  };

  it('is logged once, then once a minute, and once when every user is back', () => {
    fail(3 * MINUTE + 1_000);
    expect(lines).toEqual([
      expect.stringMatching(/^REDIS_URL: Redis cannot be used \(ECONNREFUSED\)\. Until it returns, jobs start/),
      'REDIS_URL: Redis still cannot be used (ECONNREFUSED), for 60 s now',
      'REDIS_URL: Redis still cannot be used (ECONNREFUSED), for 2 min now',
      'REDIS_URL: Redis still cannot be used (ECONNREFUSED), for 3 min now',
    ]);
    lines.length = 0;

    outage.end('queue events');
    outage.end('rate limits');
    jest.advanceTimersByTime(5_000);
    expect(lines).toEqual([]);
    outage.end('queue mail');
    jest.advanceTimersByTime(MINUTE * 2);
    expect(lines).toEqual([expect.stringMatching(/^Redis can be used again, after 3 min$/)]);
  });

  it('goes on when a user fails again at once', () => {
    outage.begin('queue mail', refused);
    for (let time = 0; time < 100; time++) {
      outage.end('queue mail');
      jest.advanceTimersByTime(500);
      outage.begin('queue mail', refused);
    }
    expect(lines).toHaveLength(1);
  });
});
