import { Module, OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../config/config.js';
import { parseCidrs } from './address.js';
import { OutboundClient } from './outbound-client.js';

/** Provides the `OutboundClient` with the configured address policy. */
@Module({
  providers: [
    {
      provide: OutboundClient,
      inject: [Config],
      useFactory: (config: Config) =>
        new OutboundClient({
          allowPrivateNetworks: config.webhookAllowPrivateNetworks,
          allow: parseCidrs(config.outboundAllow.join(',')),
          ca: config.outboundCa,
        }),
    },
  ],
  exports: [OutboundClient],
})
export class OutboundModule implements OnApplicationShutdown {
  constructor(private readonly client: OutboundClient) {}

  async onApplicationShutdown(): Promise<void> {
    await this.client.close();
  }
}
