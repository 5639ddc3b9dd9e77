import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DeliverableType, DeliveryStatus } from './delivery-status.js';

/*
 * The statements in `deliveries.sql.ts` read and write these tables. No code loads these classes: they describe the tables to TypeORM,
 * and a test compares them with the migrations.
 */

/** One event on its way to one webhook. Sent again by hand it stays the same delivery. */
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

  /** Attempts since it was due first or was sent again: the place in the retry schedule. */
  @Column('integer')
  attempts!: number;

  /** Null when nothing more is to come. */
  @Column({ type: 'timestamptz', name: 'next_attempt_at', precision: 3, nullable: true })
  nextAttemptAt!: Date | null;

  /** Until then it belongs to the worker that wrote this time, and to nobody after. */
  @Column({ type: 'timestamptz', name: 'claimed_until', precision: 3, nullable: true })
  claimedUntil!: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'finished_at', precision: 3, nullable: true })
  finishedAt!: Date | null;
}

/** What one attempt came to; written once. */
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

  /** The status of the answer, when one came. */
  @Column('integer', { nullable: true })
  status!: number | null;

  /** A sentence for the tenant; null when the answer came whole. */
  @Column('text', { nullable: true })
  error!: string | null;

  /** The beginning of the answer's body. */
  @Column('text')
  response!: string;
}
