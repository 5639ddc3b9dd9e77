import { TEST_CITUS_URL } from './citus.js';

/** A test, or tests, that look at plans or locks of plain PostgreSQL. */
export const itOnPlain = TEST_CITUS_URL ? it.skip : it;

export const describeOnPlain = TEST_CITUS_URL ? describe.skip : describe;
