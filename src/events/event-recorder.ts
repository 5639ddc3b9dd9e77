import { Injectable } from '@nestjs/common';
import type { Executor } from '../database/database.js';
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

/** Called after a change is committed, so that its events are relayed now and not at the next sweep. */
type Listener = (tenantId: string) => void;

/** Records events. It does not know the subscribers. */
@Injectable()
export class EventRecorder {
  private readonly listeners: Listener[] = [];

  /** Records events in the transaction (or statement) that makes the change. */
  async record(executor: Executor, tenantId: string, events: readonly NewEvent[]): Promise<void> {
    if (events.length === 0) return;
    await executor.query(tenantId, RECORD, {
      ids: events.map(() => newUuid()),
      types: events.map(({ type }) => type),
      data: events.map(({ data }) => data),
      at: events.map(({ at }) => at.toISOString()),
    });
  }

  /**
   * Must be called after the change is committed. If the call is lost, only time is lost, because the tables contain the pending events.
   */
  committed(tenantId: string): void {
    for (const listener of this.listeners) listener(tenantId);
  }

  onCommitted(listener: Listener): void {
    this.listeners.push(listener);
  }
}
