/** SQL for the shard of a counter. Concurrent connections mostly update different rows, so that they do not all wait for one row. */
export const COUNT_SHARD = `pg_backend_pid() % 16`;
