import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EventType } from '../modules/module-manifest.js';

/*
 * The statements of this module read and write these tables. No code loads these classes: they describe the tables to TypeORM, and a
 * test compares them with the migrations.
 */

/** An event, committed together with the change that caused it. Its place in the feed is an `EventPosition`. It has `data` or refers to a version. */
@Entity('events')
export class Event {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  type!: EventType;

  /** The resource as its get (or list) endpoint returned it at that time; for a deletion, its last state. Null if a `Version` has it. */
  @Column('json', { nullable: true })
  data!: Record<string, unknown> | null;

  @Column('uuid', { name: 'resource_id', nullable: true })
  resourceId!: string | null;

  /** The number of the resource's version. */
  @Column('integer', { nullable: true })
  version!: number | null;

  @Column({ type: 'timestamptz', name: 'occurred_at', precision: 3 })
  occurredAt!: Date;
}

/** An event that has no position in the feed yet. Deleted in the transaction in which webhooks and mail write their own rows. */
@Entity('pending_events')
export class PendingEvent {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  /** Assigned from a sequence when the row is inserted. A later change of the same resource has a greater number. */
  @PrimaryColumn('bigint')
  number!: string;

  @Column('uuid', { name: 'event_id' })
  eventId!: string;
}

/** The last position that was assigned in the tenant's feed. The relay locks the row. */
@Entity('event_counters')
export class EventCounter {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @Column('bigint')
  position!: string;
}

/** The place of an event in its tenant's feed, written once by the relay. Holds the type for the feed's filter. */
@Entity('event_positions')
export class EventPosition {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('bigint')
  position!: string;

  @Column('uuid', { name: 'event_id' })
  eventId!: string;

  @Column('text')
  type!: EventType;
}

/** The number of events of a type that occurred on a day in UTC. Counted when they get their positions. */
@Entity('event_days')
export class EventDay {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('date')
  day!: string;

  @PrimaryColumn('text')
  type!: EventType;

  @Column('bigint')
  events!: string;
}
