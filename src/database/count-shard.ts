/** SQL for a counter's shard: connections that write at once mostly meet different rows, so that no row becomes the queue of all. */
export const COUNT_SHARD = `pg_backend_pid() % 16`;
