/** The names of all queues. The application does not start unless each has exactly one worker. */
export const QUEUE_NAMES = ['events', 'webhooks', 'mail', 'subscribers'] as const;

export type QueueName = (typeof QUEUE_NAMES)[number];

/** Says which tenant has work, not what the work is. Never contains records or secrets. A queue has at most one job of a tenant. */
export interface Job {
  tenantId: string;
}
