import { Module, OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../config/config.js';
import { parseCidrs } from './address.js';
import { OperatorClient } from './operator-client.js';
import { OutboundClient } from './outbound-client.js';

/** Provides the `OutboundClient` for URLs of tenants, and the `OperatorClient` for those of the operator, each with its own policy. */
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
    {
      provide: OperatorClient,
      inject: [Config],
      useFactory: ({ outboundAllowedHosts: allowedHosts, outboundCa: ca }: Config) =>
        new OperatorClient({ allowedHosts, ca }),
    },
  ],
  exports: [OutboundClient, OperatorClient],
})
export class OutboundModule implements OnApplicationShutdown {
  constructor(
    private readonly client: OutboundClient,
    private readonly operatorClient: OperatorClient,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.client.close(), this.operatorClient.close()]);
  }
}
