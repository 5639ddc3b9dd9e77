/** The kind of the scheduled job that writes the deliveries of a replay. */
export const REPLAY = 'webhook_replay';

/** The kind of the scheduled job that looks for deliveries of an ordered webhook that wait for nothing. */
export const ORDER = 'webhook_order';

/** The kind of the scheduled job that looks at a webhook an hour after its attempts began to fail. */
export const FAILING = 'webhook_failing';
