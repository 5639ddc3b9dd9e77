/** Every queue there is. One worker registers for each: a name without exactly one stops the boot. */
export const QUEUE_NAMES = ['events', 'webhooks', 'mail'] as const;

export type QueueName = (typeof QUEUE_NAMES)[number];

/** Whose work it is: that there is some, not what it is. Never records, never secrets. Jobs of one tenant in one queue are one job. */
export interface Job {
  tenantId: string;
}
