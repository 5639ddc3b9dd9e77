import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { StartsFrom } from './subscriber.js';

/*
 * The statements in `positions.sql.ts` read and write these tables. No code loads these classes: they describe the tables to TypeORM, and a
 * test compares them with the migrations.
 */

/** A subscriber with positions of its own, known to every process until it is retired. */
@Entity('subscribers')
export class KnownSubscriber {
  @PrimaryColumn('text')
  name!: string;

  /** A subscriber that is added again after it was retired has another ID, and so other positions. */
  @Column('uuid')
  id!: string;

  @Column('text', { name: 'starts_from' })
  startsFrom!: StartsFrom;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: Date;

  /** Null until the subscriber has its first position in every feed. No process passes events to it before. */
  @Column({ type: 'timestamptz', name: 'registered_at', precision: 3, nullable: true })
  registeredAt!: Date | null;

  /** The last time that a worker had the subscriber. */
  @Column({ type: 'timestamptz', name: 'seen_at', precision: 3, nullable: true })
  seenAt!: Date | null;
}

/** The last position in the tenant's feed that a subscriber has passed. Without a row, it has passed none. */
@Entity('subscriber_positions')
export class SubscriberPosition {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid', { name: 'subscriber_id' })
  subscriberId!: string;

  @Column('bigint')
  position!: string;
}
