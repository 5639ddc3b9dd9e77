import { Database } from '../../src/database/database.js';
import { EventRecorder, type NewEvent } from '../../src/events/event-recorder.js';
import type { TestApp } from './app.js';

/** Records events without a change, in a transaction of their own. */
export async function recordEvents(app: TestApp, tenantId: string, events: readonly NewEvent[]): Promise<void> {
  await app
    .get(Database)
    .transaction(tenantId, (transaction) => app.get(EventRecorder).record(transaction, tenantId, events));
}
