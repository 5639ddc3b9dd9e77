import type { TestApp } from './app.js';

/** An event as the database has it, with its data, which may be that of a version. */
export interface StoredEvent {
  id: string;
  type: string;
  /** JSON text. */
  data: string;
}

/** The events of a tenant in the order of their IDs. */
export function storedEvents(app: TestApp, tenantId: string): Promise<StoredEvent[]> {
  return app.database.query<StoredEvent>(
    `SELECT e.id, e.type, coalesce(e.data::text, v.data) AS data FROM events e
      LEFT JOIN versions v ON v.tenant_id = e.tenant_id AND v.resource_id = e.resource_id AND v.number = e.version
      WHERE e.tenant_id = $1 ORDER BY e.id`,
    [tenantId],
  );
}

/** The same, only of entries. */
export async function storedEntryEvents(app: TestApp, tenantId: string): Promise<StoredEvent[]> {
  return ofEntries(await storedEvents(app, tenantId));
}

/** The events about entries. */
export function ofEntries<E extends { type: string }>(events: readonly E[]): E[] {
  return events.filter(({ type }) => type.startsWith('entry.'));
}
