import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { KeyedRequests } from '../access/idempotency/keyed-requests.js';
import { AnswerErasure } from './answer-erasure.js';
import { EventsModule } from '../events/events.module.js';
import { entities } from './idempotency.tables.js';
import { IdempotentRequests } from './idempotent-requests.js';
import { StoredResponseRetention } from './stored-response-retention.js';
import { StoredResponses } from './stored-responses.js';
import { Resources } from './resources.js';

/** Requests with an `Idempotency-Key`. Global because the routes of every module take it. */
@Global()
@Module({
  imports: [EventsModule, TypeOrmModule.forFeature(entities)],
  providers: [
    AnswerErasure,
    StoredResponses,
    StoredResponseRetention,
    Resources,
    { provide: KeyedRequests, useClass: IdempotentRequests },
  ],
  exports: [KeyedRequests],
})
export class IdempotencyModule {}
