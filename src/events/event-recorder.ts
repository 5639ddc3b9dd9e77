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
  /** The number of the resource's state, which grows with each of its changes. Not given for a resource that never changes. */
  version?: number;
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
  ), ${recordPending(source)}` as const;
}

/** The parameters of `recordVersion` and `recordVersionEvents`: like `EventParameters`, but the data belongs to the version. */
export interface VersionParameters extends Omit<EventParameters, 'eventData'> {
  /** JSON text, see `Version`. */
  summary: string;
}

/** The ID of the last of a change's events. */
export const LAST_EVENT_ID = '(:eventIds::uuid[])[cardinality(:eventIds::uuid[])]';

/**
 * The common table expressions that store a version and record its events in the same statement as the change. `resource`, `number`,
 * `form` and `data` are SQL expressions of the version's columns. The statement takes `VersionParameters`.
 */
export function recordVersion<
  const Source extends string,
  const Resource extends string,
  const Number extends string,
  const Form extends string,
  const Data extends string,
>(source: Source, version: { resource: Resource; number: Number; form: Form; data: Data }) {
  return `versioned AS (
    INSERT INTO versions (tenant_id, resource_id, number, form, summary, data, at, event_id)
    SELECT :tenantId, ${version.resource}, ${version.number}, ${version.form}, :summary, ${version.data}, :at::timestamptz, ${LAST_EVENT_ID}
    FROM ${source}
  ), ${recordVersionEvents(source, version)}` as const;
}

/** Like `recordEvents`, for events whose data is that of a version. */
export function recordVersionEvents<
  const Source extends string,
  const Resource extends string,
  const Number extends string,
>(source: Source, { resource, number }: { resource: Resource; number: Number }) {
  return `recorded AS (
    INSERT INTO events (tenant_id, id, type, resource_id, version, occurred_at)
    SELECT :tenantId, event.id, event.type, ${resource}, ${number}, :at::timestamptz
    FROM ${source}, unnest(:eventIds::uuid[], :eventTypes::text[]) AS event (id, type)
  ), ${recordPending(source)}` as const;
}

function recordPending<const Source extends string>(source: Source) {
  return `pending AS (
    INSERT INTO pending_events (tenant_id, event_id)
    SELECT :tenantId, event.id FROM ${source}, unnest(:eventIds::uuid[]) AS event (id)
  )` as const;
}

const RECORD = statement<
  {
    ids: readonly string[];
    types: readonly string[];
    data: readonly string[];
    at: readonly string[];
    versions: readonly (number | null)[];
  },
  never
>()(
  'events.record',
  `WITH recorded AS (
      INSERT INTO events (tenant_id, id, type, data, occurred_at, version)
      SELECT :tenantId, event.id, event.type, event.data::json, event.at, event.version
      FROM unnest(:ids::uuid[], :types::text[], :data::text[], :at::timestamptz[], :versions::int[]) AS event (id, type, data, at, version)
      RETURNING id
    )
    INSERT INTO pending_events (tenant_id, event_id) SELECT :tenantId, id FROM recorded`,
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
      versions: events.map(({ version }) => version ?? null),
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
