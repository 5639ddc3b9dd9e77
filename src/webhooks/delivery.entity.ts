import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DeliverableType, DeliveryStatus } from './delivery-status.js';

/*
 * The statements in `deliveries.sql.ts` read and write these tables. No code loads these classes: they describe the tables to TypeORM,
 * and a test compares them with the migrations.
 */

/** The delivery of one event to one webhook. Sending it again by hand does not create another one. */
@Entity('deliveries')
export class Delivery {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'webhook_id' })
  webhookId!: string;

  @Column('uuid', { name: 'event_id' })
  eventId!: string;

  @Column('text', { name: 'event_type' })
  eventType!: DeliverableType;

  @Column('text')
  status!: DeliveryStatus;

  /** Number of attempts since the delivery was created or sent again, which is the position in the retry schedule. */
  @Column('integer')
  attempts!: number;

  /** Null if there is no further attempt. */
  @Column({ type: 'timestamptz', name: 'next_attempt_at', precision: 3, nullable: true })
  nextAttemptAt!: Date | null;

  /** Until then, only the worker that wrote this time may send the delivery. */
  @Column({ type: 'timestamptz', name: 'claimed_until', precision: 3, nullable: true })
  claimedUntil!: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'finished_at', precision: 3, nullable: true })
  finishedAt!: Date | null;
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
