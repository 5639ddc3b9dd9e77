import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EventType } from './event-types.js';

/**
 * Something that happened, committed with the change that made it happen.
 *
 * The table has one more column, `committed_in` (`xid8`, which TypeORM doesn't know): the transaction that wrote the row. The
 * feed walks by it, because ids are made before the commit and a walk by id could pass over an event that commits late.
 */
@Entity('events')
export class Event {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  type!: EventType;

  /** The resource as its get (or list) showed it then; for a deletion, its last state. */
  @Column('json')
  data!: Record<string, unknown>;

  @Column({ type: 'timestamptz', name: 'occurred_at', precision: 3 })
  occurredAt!: Date;
}

/** An event that no subscriber has seen yet. Deleted in the transaction in which the subscribers write their own rows. */
@Entity('pending_events')
export class PendingEvent {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid', { name: 'event_id' })
  eventId!: string;
}
