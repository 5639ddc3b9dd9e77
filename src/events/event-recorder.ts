import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { Transaction } from '../database/transaction.js';
import { either, insert, part, write } from '../database/statements/write.js';
import { newUuid } from '../ids/type-id.js';
import type { EventType } from '../modules/module-manifest.js';

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

const EVENTS = 'unnest(:eventIds::uuid[], :eventTypes::text[]) AS event (id, type)';

/**
 * The parts of a write that record events of the change. `source` is the part that has one row if the change happened. `version` is an SQL
 * expression (see `NewEvent`). The write takes `EventParameters`.
 */
export function recordEvents<const Source extends string, const Version extends string = 'NULL'>(
  source: Source,
  version: Version = 'NULL' as Version,
) {
  return [
    insert(
      'recorded',
      `INSERT INTO events (tenant_id, id, type, data, occurred_at, version)
      SELECT :tenantId, event.id, event.type, :eventData::json, :at::timestamptz, ${version}
      FROM ${source}, ${EVENTS}`,
    ),
    ...recordPending(source),
  ] as const;
}

/** The parameters of `recordVersion` and `recordVersionEvents`: like `EventParameters`, but the data belongs to the version. */
export interface VersionParameters extends Omit<EventParameters, 'eventData'> {
  /** JSON text, see `Version`. */
  summary: string;
}

/** The ID of the last of a change's events. */
export const LAST_EVENT_ID = '(:eventIds::uuid[])[cardinality(:eventIds::uuid[])]';

/**
 * The parts of a write that store a version and record its events. `resource`, `number`, `schemaVersion`, `data` and `stored` are SQL expressions of
 * the version's columns. The write takes `VersionParameters`.
 */
export function recordVersion<
  const Source extends string,
  const Resource extends string,
  const Number extends string,
  const SchemaVersion extends string,
  const Data extends string,
  const Stored extends string,
>(
  source: Source,
  version: { resource: Resource; number: Number; schemaVersion: SchemaVersion; data: Data; stored: Stored },
) {
  return [
    insert(
      'versioned',
      `INSERT INTO versions (tenant_id, resource_id, number, schema_version, summary, data, stored, at, event_id)
      SELECT :tenantId, ${version.resource}, ${version.number}, ${version.schemaVersion}, :summary, ${version.data}, ${version.stored}, :at::timestamptz, ${LAST_EVENT_ID}
      FROM ${source}`,
    ),
    ...recordVersionEvents(source, version),
  ] as const;
}

/** Like `recordEvents`, for events whose data is that of a version. */
export function recordVersionEvents<
  const Source extends string,
  const Resource extends string,
  const Number extends string,
>(source: Source, { resource, number }: { resource: Resource; number: Number }) {
  return [
    insert(
      'recorded',
      `INSERT INTO events (tenant_id, id, type, resource_id, version, occurred_at)
      SELECT :tenantId, event.id, event.type, ${resource}, ${number}, :at::timestamptz
      FROM ${source}, ${EVENTS}`,
    ),
    ...recordPending(source),
  ] as const;
}

/** The parts of a write that record an event for each row of the part `source`, which returns the columns `id`, `data` and `at` of the event. */
export function recordEventOfEach<const Type extends EventType>(source: string, type: Type) {
  return [
    part(
      'recorded',
      `INSERT INTO events (tenant_id, id, type, data, occurred_at) SELECT :tenantId, id, '${type}', data, at FROM ${source} RETURNING id`,
      { of: source, returns: { id: 'uuid' }, isMany: true },
    ),
    ...markPending('recorded', 'recorded', 'recorded.id'),
  ] as const;
}

function recordPending<const Source extends string>(source: Source) {
  return markPending(source, 'unnest(:eventIds::uuid[]) AS event (id)', 'event.id');
}

/**
 * The parts of a write that mark events as pending, whose IDs are the column `id` of the rows `from`. Citus would give all rows of a statement
 * the same number, so that it has to assign the numbers before.
 */
export function markPending<const From extends string, const Id extends string, const Source extends string = never>(
  source: Source | undefined,
  from: From,
  id: Id,
) {
  const of = source === undefined ? {} : { of: source };
  const numbered = part('numbered', `SELECT ${id} AS id, nextval('pending_events_number_seq') AS number FROM ${from}`, {
    ...of,
    returns: { id: 'uuid', number: 'bigint' },
    isMany: true,
  });
  const rows = source === undefined || (from as string) === source ? from : (`${source}, ${from}` as const);
  return [
    either(undefined, numbered),
    either(
      part('pending', `INSERT INTO pending_events (tenant_id, event_id) SELECT :tenantId, ${id} FROM ${rows}`),
      insert(
        'pending',
        `INSERT INTO pending_events (tenant_id, event_id, number)
      SELECT :tenantId, numbered.id, numbered.number
      FROM numbered`,
      ),
    ),
  ] as const;
}

const RECORD = write<
  {
    ids: readonly string[];
    types: readonly string[];
    data: readonly string[];
    at: readonly string[];
    versions: readonly (number | null)[];
  },
  never
>()('events.record', [
  insert(
    'recorded',
    `INSERT INTO events (tenant_id, id, type, data, occurred_at, version)
      SELECT :tenantId, event.id, event.type, event.data::json, event.at, event.version
      FROM unnest(:ids::uuid[], :types::text[], :data::text[], :at::timestamptz[], :versions::int[]) AS event (id, type, data, at, version)
      RETURNING id`,
    { computes: true, returns: { id: 'uuid' }, isMany: true },
  ),
  ...markPending('recorded', 'recorded', 'recorded.id'),
]);

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
