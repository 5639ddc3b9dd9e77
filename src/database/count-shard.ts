/** SQL for a counter's slot: connections that write at once mostly meet different rows, so that no row becomes the queue of all. */
export const COUNT_SLOT = `pg_backend_pid() % 16`;
