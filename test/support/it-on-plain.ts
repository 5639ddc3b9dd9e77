import { TEST_CITUS_URL } from './citus.js';

/** A test that looks at plans or locks of plain PostgreSQL. */
export const itOnPlain = TEST_CITUS_URL ? it.skip : it;
