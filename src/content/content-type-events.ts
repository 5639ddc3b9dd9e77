import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/database.js';
import { EventRecorder } from '../events/event-recorder.js';
import { presentContentType } from './content-type-presenter.js';
import type { ContentType } from './content-type.entity.js';

type ContentTypeEvent = 'content_type.created' | 'content_type.updated' | 'content_type.deleted';

/** Records the events of content types, in the transactions of their changes. */
@Injectable()
export class ContentTypeEvents {
  constructor(private readonly recorder: EventRecorder) {}

  /** `type` is as the change leaves it; for a deletion, its last state. */
  async record(transaction: Transaction, event: ContentTypeEvent, type: ContentType): Promise<void> {
    const data = JSON.stringify(presentContentType(type));
    const at = event === 'content_type.created' ? type.createdAt : new Date();
    await this.recorder.record(transaction, type.tenantId, [{ type: event, data, at, version: type.revision }]);
  }
}
