import { Global, Module } from '@nestjs/common';
import { Queues } from './queues.js';

/** Wakes the workers of durable work. */
@Global()
@Module({ providers: [Queues], exports: [Queues] })
export class QueuesModule {}
