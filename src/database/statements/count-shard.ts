/** SQL for the shard of a counter. Concurrent connections mostly update different rows, so that they do not all wait for one row. */
export const COUNT_SHARD = `pg_backend_pid() % 16`;

/** SQL for the state that a write leaves in its shard: a number of 52 bits, which JavaScript represents exactly. */
export const RANDOM_STATE = '(random() * 4503599627370495)::bigint';
