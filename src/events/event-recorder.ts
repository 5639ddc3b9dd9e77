import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../database/database.js';
import { statement } from '../database/statement.js';
import { newUuid } from '../ids/type-id.js';
import type { EventType } from '../rooms/room.js';

/** An event to record. `data` is the JSON text of the resource as its get endpoint returns it. */
export interface NewEvent {
  type: EventType;
  data: string;
  at: Date;
}

/** The parameters of `recordEvents`: the IDs and types of a change's events, the JSON text of their data, and the time of the change. */
export interface EventParameters {
  eventIds: readonly string[];
  eventTypes: readonly EventType[];
  eventData: string;
  at: string;
}

/**
 * The common table expressions that record events in the same statement as the change. `source` is the name of the expression that has
 * one row if the change happened. The statement takes `EventParameters`.
 */
export function recordEvents<const Source extends string>(source: Source) {
  return `recorded AS (
    INSERT INTO events (tenant_id, id, type, data, occurred_at)
    SELECT :tenantId, event.id, event.type, :eventData::json, :at::timestamptz
    FROM ${source}, unnest(:eventIds::uuid[], :eventTypes::text[]) AS event (id, type)
  ), pending AS (
    INSERT INTO pending_events (tenant_id, event_id)
    SELECT :tenantId, event.id FROM ${source}, unnest(:eventIds::uuid[]) AS event (id)
  )` as const;
}

/**
 * Returns a statement that records an event for each row of the query `rows`, whose columns are `id`, `type`, `data` (json) and `at`. Data
 * that the database can build need not pass through the process.
 */
export function recordRows<const Rows extends string>(rows: Rows) {
  return `WITH recorded AS (
      INSERT INTO events (tenant_id, id, type, data, occurred_at)
      SELECT :tenantId, event.id, event.type, event.data, event.at FROM (${rows}) AS event
      RETURNING id
    )
    INSERT INTO pending_events (tenant_id, event_id) SELECT :tenantId, id FROM recorded` as const;
}

const RECORD = statement<
  { ids: readonly string[]; types: readonly string[]; data: readonly string[]; at: readonly string[] },
  never
>()(
  'events.record',
  recordRows(`SELECT id, type, data::json AS data, at
      FROM unnest(:ids::uuid[], :types::text[], :data::text[], :at::timestamptz[]) AS event (id, type, data, at)`),
);

/** Records events. It does not know the subscribers. */
@Injectable()
export class EventRecorder {
  constructor(private readonly database: Database) {}

  /** Records events in the transaction that makes the change. A change of one statement uses `recordEvents` instead. */
  async record(transaction: Transaction, tenantId: string, events: readonly NewEvent[]): Promise<void> {
    if (events.length === 0) return;
    await transaction.query(tenantId, RECORD, {
      ids: events.map(() => newUuid()),
      types: events.map(({ type }) => type),
      data: events.map(({ data }) => data),
      at: events.map(({ at }) => at.toISOString()),
    });
  }

  /**
   * Calls `listener` after every commit of events, so that they are relayed now and not at the next sweep. If the call is lost, only time is
   * lost, because the tables contain the pending events.
   */
  onCommitted(listener: (tenantId: string) => void): void {
    this.database.onInserted('pending_events', listener);
  }
}
