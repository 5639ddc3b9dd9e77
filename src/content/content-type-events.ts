import { Injectable } from '@nestjs/common';
import { changedNames } from '../audit/changed-names.js';
import { recordChanges } from '../audit/record-changes.js';
import type { Transaction } from '../database/transaction.js';
import { EventRecorder } from '../events/event-recorder.js';
import type { Author } from '../http/caller.js';
import { formatId } from '../ids/type-id.js';
import { presentContentType } from './content-type-presenter.js';
import type { ContentType } from './content-type.entity.js';

type Action = 'created' | 'updated' | 'deleted';

/** Records the events of content types and the records of the audit log, in the transactions of their changes. */
@Injectable()
export class ContentTypeEvents {
  constructor(private readonly recorder: EventRecorder) {}

  /** `type` is as the change leaves it; for a deletion, its last state. `before` is the type before an update. */
  async record(
    transaction: Transaction,
    by: Author,
    action: Action,
    type: ContentType,
    before: ContentType = type,
  ): Promise<void> {
    const { tenantId, id } = type;
    const data = JSON.stringify(presentContentType(type));
    const at = action === 'created' ? type.createdAt : new Date();
    await this.recorder.record(transaction, tenantId, [
      { type: `content_type.${action}`, data, at, version: type.revision },
    ]);
    const changes = changedNames(presentContentType(before), presentContentType(type));
    const resource = { type: 'content_type', id: formatId('ct', id) };
    await recordChanges(transaction, tenantId, by, [{ action, resource, changes }]);
  }
}
