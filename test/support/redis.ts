import { Redis } from 'ioredis';

/** The Redis of the tests: `REDIS_URL`, or the one on this machine. */
export const TEST_REDIS_URL = process.env['REDIS_URL'] || 'redis://127.0.0.1:6379';

/** The global set-up passes this variable to the test files. */
const ANSWERS = 'TRIVET_TEST_REDIS_ANSWERS';

export async function lookForRedis(): Promise<void> {
  const redis = new Redis(TEST_REDIS_URL, { lazyConnect: true, retryStrategy: () => null });
  redis.on('error', () => undefined);
  const answers = await redis.connect().then(
    () => redis.ping(),
    () => undefined,
  );
  redis.disconnect();
  if (answers === 'PONG') process.env[ANSWERS] = 'true';
}

/** Defines tests that need a Redis. Without one they are skipped and listed by name, or fail in CI. */
export function describeWithRedis(name: string, tests: () => void): void {
  const answers = process.env[ANSWERS] !== undefined;
  (answers ? describe : describe.skip)(name, tests);
  if (answers || process.env['CI'] !== 'true') return;
  it(`${name}: a Redis at ${TEST_REDIS_URL}`, () => {
    throw new Error('No Redis answers, and in CI one must.');
  });
}
