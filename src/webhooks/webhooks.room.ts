import { defineRoom } from '../rooms/room.js';

/** Subscriptions to events, and their delivery. */
export const webhooks = defineRoom({
  name: 'webhooks',
  area: 'webhooks',
  ids: { wh: 'webhook', dlv: 'delivery' },
  tags: [
    {
      name: 'Webhooks',
      description:
        'Webhooks are URLs that receive events when resources change. Deliveries follow ' +
        '[Standard Webhooks](https://www.standardwebhooks.com). Verify `webhook-signature` with your secret. ' +
        'Deduplicate by `webhook-id`, which is the same on every retry.',
    },
  ],
  tables: () => import('./webhooks.tables.js'),
  module: async () => (await import('./webhooks.module.js')).WebhooksModule,
});

declare module '../rooms/room.js' {
  interface DeclaredRooms {
    webhooks: typeof webhooks;
  }
}
