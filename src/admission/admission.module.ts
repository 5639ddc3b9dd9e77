import { Module } from '@nestjs/common';
import { ByteBudget } from './byte-budget.js';
import { Connections } from './connections.js';

/** Limits the work in progress per tenant. Other modules ask here before they start expensive work. */
@Module({ providers: [ByteBudget, Connections], exports: [ByteBudget, Connections] })
export class AdmissionModule {}
