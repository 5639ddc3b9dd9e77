import { defineModule } from '../modules/module-manifest.js';

const webhook = async () => (await import('./webhooks.dto.js')).WebhookDetailDto;

/** Subscriptions to events, and their delivery. */
export const webhooks = defineModule({
  name: 'webhooks',
  area: 'webhooks',
  ids: { wh: 'webhook', dlv: 'delivery' },
  events: {
    'webhook.failing': {
      description:
        'A delivery to a webhook failed five times in a row, for an hour, or for good. It comes once until the webhook succeeds again, and ' +
        'is not delivered to this webhook.',
      data: webhook,
    },
    'webhook.disabled': {
      description:
        'A webhook was made inactive, because its receiver answered 410 or failed for five days. It is not delivered to this webhook.',
      data: webhook,
      example: { active: false, disabled_reason: 'failing' },
    },
  },
  tags: [
    {
      name: 'Webhooks',
      guide: 'reference/webhooks',
      description:
        'Webhooks are URLs that receive events when resources change. Deliveries follow ' +
        '[Standard Webhooks](https://www.standardwebhooks.com). Verify `webhook-signature` with your secret. ' +
        'Deduplicate by `webhook-id`, which is the same on every retry.',
    },
  ],
  tables: () => import('./webhooks.tables.js'),
  module: async () => (await import('./webhooks.module.js')).WebhooksModule,
});

declare module '../modules/module-manifest.js' {
  interface DeclaredModules {
    webhooks: typeof webhooks;
  }
}
