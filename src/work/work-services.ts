import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { Subscribers } from '../events/subscribers/subscriber.js';
import { SharedQueue } from '../queues/shared-queue.js';

/** What a `WorkSubscriber` passes to its base class. */
@Injectable()
export class WorkServices {
  constructor(
    readonly database: Database,
    readonly subscribers: Subscribers,
    readonly queue: SharedQueue,
  ) {}
}
