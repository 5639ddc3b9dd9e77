import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EventType } from '../rooms/room.js';

/** `gone`: the receiver responded with 410. `failing`: all attempts failed for five days. */
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

  /** Sealed by `SecretBox`. No response contains it. */
  @Column('text', { nullable: true })
  secret!: string | null;

  /** Signs together with `secret` until `previousSecretUntil`, while the receiver rotates. */
  @Column('text', { name: 'previous_secret', nullable: true })
  previousSecret!: string | null;

  @Column({ type: 'timestamptz', name: 'previous_secret_until', precision: 3, nullable: true })
  previousSecretUntil!: Date | null;

  @Column('boolean')
  active!: boolean;

  /** The reason why the service made the webhook inactive. */
  @Column('text', { name: 'disabled_reason', nullable: true })
  disabledReason!: DisabledReason | null;

  /** The time of the first failure in the current failure streak; null after a success. */
  @Column({ type: 'timestamptz', name: 'failing_since', precision: 3, nullable: true })
  failingSince!: Date | null;

  @Column({ type: 'timestamptz', name: 'last_failed_at', precision: 3, nullable: true })
  lastFailedAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: Date;
}
