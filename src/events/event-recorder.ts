import { Injectable } from '@nestjs/common';
import type { Executor } from '../database/database.js';
import { newUuid } from '../ids/type-id.js';
import type { EventType } from './event-types.js';

/** An event about to be recorded: `data` is the JSON text of the resource as its get shows it. */
export interface NewEvent {
  type: EventType;
  data: string;
  at: Date;
}

/**
 * The common table expressions that record events in the very statement that makes the change. Everything is SQL: `source` names the
 * expression whose one row says that the change happened, the others are the parameters' places (`$5`).
 */
export function recordEvents(part: { source: string; ids: string; types: string; data: string; at: string }): string {
  const { source, ids, types, data, at } = part;
  return `recorded AS (
    INSERT INTO events (tenant_id, id, type, data, occurred_at)
    SELECT $1, event.id, event.type, ${data}::json, ${at}::timestamptz
    FROM ${source}, unnest(${ids}::uuid[], ${types}::text[]) AS event (id, type)
  ), pending AS (
    INSERT INTO pending_events (tenant_id, event_id)
    SELECT $1, event.id FROM ${source}, unnest(${ids}::uuid[]) AS event (id)
  )`;
}

/**
 * The statement that records an event for each row of the query `rows`, whose columns are `id`, `type`, `data` (json) and `at`. With it
 * data that is made of what the database holds need not pass through the process.
 */
export function recordRows(rows: string): string {
  return `WITH recorded AS (
      INSERT INTO events (tenant_id, id, type, data, occurred_at)
      SELECT $1, event.id, event.type, event.data, event.at FROM (${rows}) AS event
      RETURNING id
    )
    INSERT INTO pending_events (tenant_id, event_id) SELECT $1, id FROM recorded`;
}

const RECORD = {
  name: 'events.record',
  text: recordRows(`SELECT id, type, data::json AS data, at
      FROM unnest($2::uuid[], $3::text[], $4::text[], $5::timestamptz[]) AS event (id, type, data, at)`),
};

/** Called after a change is committed, so that its events are looked at now and not at the next sweep. */
type Listener = (tenantId: string) => void;

/** Records events; knows nothing of who listens. */
@Injectable()
export class EventRecorder {
  private readonly listeners: Listener[] = [];

  /** Records in the transaction (or statement) that makes the change. */
  async record(executor: Executor, tenantId: string, events: readonly NewEvent[]): Promise<void> {
    if (events.length === 0) return;
    await executor.query(tenantId, RECORD, [
      events.map(() => newUuid()),
      events.map(({ type }) => type),
      events.map(({ data }) => data),
      events.map(({ at }) => at.toISOString()),
    ]);
  }

  /** To be called once the change is committed. Losing this call loses nothing: the tables hold what is to be done. */
  committed(tenantId: string): void {
    for (const listener of this.listeners) listener(tenantId);
  }

  onCommitted(listener: Listener): void {
    this.listeners.push(listener);
  }
}
