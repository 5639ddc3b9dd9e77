import { Global, Module } from '@nestjs/common';
import { ByteBudget } from './byte-budget.js';
import { Connections } from './connections.js';

/** Admits work: how much of it is under way, and whose it is. Every room asks here before it begins something that costs. */
@Global()
@Module({ providers: [ByteBudget, Connections], exports: [ByteBudget, Connections] })
export class AdmissionModule {}
