import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { SubscribedType } from '../subscriptions/subscribed-events.js';
import type { WebhookFilters } from '../options/webhook-filters.js';

/*
 * The statements in `replays.sql.ts` read and write this table. No code loads this class: it describes the table to TypeORM, and a test
 * compares it with the migrations.
 */

/** A replay whose deliveries are not all written yet. */
@Entity('webhook_replays')
export class WebhookReplay {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'webhook_id' })
  webhookId!: string;

  /** What the webhook subscribed to when the replay was requested, as far as the request asked for it. */
  @Column('text', { array: true })
  types!: SubscribedType[];

  /** The webhook's filters when the replay was requested. */
  @Column('json', { nullable: true })
  filters!: WebhookFilters | null;

  /** The first and the last time at which the events occurred. */
  @Column({ type: 'timestamptz', precision: 3 })
  since!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  until!: Date;

  /** The ID up to which the events have been looked at. */
  @Column('uuid', { name: 'after_id' })
  afterId!: string;

  /** Number of deliveries that are not written yet. */
  @Column('integer')
  remaining!: number;
}
