import { Module } from '@nestjs/common';
import { ByteBudget } from './byte-budget.js';
import { Connections } from './connections.js';
import { OpenStreams } from './open-streams.js';
import { Stopping } from './stopping.js';

/** Limits the work in progress per tenant. Other modules ask here before they start expensive work. */
@Module({
  providers: [ByteBudget, Connections, OpenStreams, Stopping],
  exports: [ByteBudget, Connections, OpenStreams, Stopping],
})
export class AdmissionModule {}
