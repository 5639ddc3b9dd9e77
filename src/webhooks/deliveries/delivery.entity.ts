import { Column, Entity, PrimaryColumn } from 'typeorm';
import { WorkColumns } from '../../work/work-row.entity.js';
import type { DeliverableType, DeliveryStatus } from './delivery-status.js';

/*
 * Statements read and write these tables. No code loads these classes: they describe the tables to TypeORM,
 * and a test compares them with the migrations.
 */

/** The delivery of one event to one webhook: the first one, or one of a replay. Sending it again by hand does not create another one, and `attempts` counts from 0 again. */
@Entity('deliveries')
export class Delivery extends WorkColumns<DeliveryStatus> {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'webhook_id' })
  webhookId!: string;

  /** Of a first delivery. A delivery of a replay has its own ID here, so that a webhook has each ID once. */
  @Column('uuid', { name: 'event_id' })
  eventId!: string;

  /** The event that a replay sends again; null for a first delivery. */
  @Column('uuid', { name: 'replay_of', nullable: true })
  replayOf!: string | null;

  /** True while the claim of the delivery counts for the `max_concurrency` of its webhook. Null otherwise. */
  @Column('boolean', { nullable: true })
  limited!: boolean | null;

  /** The public ID of the resource, if the webhook is ordered and this is its first delivery of the event. Null otherwise. */
  @Column('text', { nullable: true })
  resource!: string | null;

  /** Its place among the deliveries of the same webhook and resource. */
  @Column('bigint', { nullable: true })
  turn!: string | null;

  @Column('text', { name: 'event_type' })
  eventType!: DeliverableType;
}

/** The result of one attempt, written once. */
@Entity('delivery_attempts')
export class DeliveryAttempt {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid', { name: 'delivery_id' })
  deliveryId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  @Column({ type: 'timestamptz', name: 'attempted_at', precision: 3 })
  attemptedAt!: Date;

  @Column('integer', { name: 'duration_ms' })
  durationMs!: number;

  /** The HTTP status of the response, if one arrived. */
  @Column('integer', { nullable: true })
  status!: number | null;

  /** A sentence for the tenant; null if the response was complete. */
  @Column('text', { nullable: true })
  error!: string | null;

  /** The beginning of the response body. */
  @Column('text')
  response!: string;
}

/** The number of deliveries that ended within an hour, whether they succeeded or failed. */
@Entity('delivery_hours')
export class DeliveryHour {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  /** The beginning of the hour. */
  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  hour!: Date;

  @Column('bigint')
  deliveries!: string;

  /** Those of them that failed for good. */
  @Column('bigint', { default: 0 })
  failed!: string;
}
