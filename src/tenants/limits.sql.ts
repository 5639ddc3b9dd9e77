import { statement } from '../database/statements/statement.js';

/** A lock that is held until the end of the transaction. `connections` is the largest number of transactions that the server runs at once. */
interface Lock {
  connections: number;
}

const KEY = `hashtextextended(:tenantId || ' limit ' || :name::text, 2)`;
const CONNECTIONS = `current_setting('max_connections')::int AS connections`;

/** Held by a creation that is far from its limit. Others hold it too. */
export const LOCK_LIMITS_SHARED = statement<{ name: string }, Lock>()(
  'limits.lock_shared',
  `SELECT pg_advisory_xact_lock_shared(${KEY}), ${CONNECTIONS}`,
);

/** Held by a creation that is near its limit. It waits until no other creation is in progress. */
export const LOCK_LIMITS = statement<{ name: string }, Lock>()(
  'limits.lock',
  `SELECT pg_advisory_xact_lock(${KEY}), ${CONNECTIONS}`,
);

/** Held by a batch, so that one batch of a tenant is in progress at a time. */
export const LOCK_BATCHES = statement<{ name: string }, unknown>()(
  'limits.lock_batches',
  `SELECT pg_advisory_xact_lock(hashtextextended(:tenantId || ' limit of batches ' || :name::text, 2))`,
);
