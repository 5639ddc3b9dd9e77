import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EventType } from '../events/event-types.js';

/** `gone`: the receiver answered 410. `failing`: five days of nothing but failures. */
export const DISABLED_REASONS = ['gone', 'failing'] as const;

export type DisabledReason = (typeof DISABLED_REASONS)[number];

@Entity('webhooks')
export class Webhook {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  url!: string;

  @Column('text', { array: true })
  events!: EventType[];

  /** Sealed by `SecretBox`; never in an answer. */
  @Column('text', { nullable: true })
  secret!: string | null;

  /** Signs beside `secret` until `previousSecretUntil`, while the receiver rotates. */
  @Column('text', { name: 'previous_secret', nullable: true })
  previousSecret!: string | null;

  @Column({ type: 'timestamptz', name: 'previous_secret_until', precision: 3, nullable: true })
  previousSecretUntil!: Date | null;

  @Column('boolean')
  active!: boolean;

  /** Why the service itself made it inactive. */
  @Column('text', { name: 'disabled_reason', nullable: true })
  disabledReason!: DisabledReason | null;

  /** The first of the failures that no success came after. */
  @Column({ type: 'timestamptz', name: 'failing_since', precision: 3, nullable: true })
  failingSince!: Date | null;

  @Column({ type: 'timestamptz', name: 'last_failed_at', precision: 3, nullable: true })
  lastFailedAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: Date;
}
