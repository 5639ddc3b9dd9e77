import type { Type } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { SubscribedType } from './subscriptions/subscribed-events.js';
import { OPTION_COLUMNS, type OptionColumns } from './options/webhook-options.js';

/** `gone`: the receiver responded with 410. `failing`: all attempts failed for five days. */
export const DISABLED_REASONS = ['gone', 'failing'] as const;

export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** How deliveries are signed besides the secret: with a key pair of the service. */
export const SIGNATURES = ['ed25519'] as const;

export type Signature = (typeof SIGNATURES)[number];

/** A secret that was replaced. */
export interface PreviousSecret {
  /** Encrypted by `SecretCipher`. No response contains it. */
  secret: string;
  /** The end of its time, in ISO 8601. */
  until: string;
}

/** Types the properties of the options. Their columns are added below, because those of a base class would come before `tenant_id`. */
class Options {}

@Entity('webhooks')
export class Webhook extends (Options as Type<OptionColumns>) {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  url!: string;

  @Column('text', { array: true })
  events!: SubscribedType[];

  /** Encrypted by `SecretCipher`. No response contains it. */
  @Column('text', { nullable: true })
  secret!: string | null;

  /** Replaced secrets that still sign together with `secret`, newest first, while the receiver rotates. Null if there are none. */
  @Column('json', { name: 'previous_secrets', nullable: true })
  previousSecrets!: PreviousSecret[] | null;

  /** The private key `whsk_…`, encrypted by `SecretCipher`. No response contains it. */
  @Column('text', { name: 'signing_key', nullable: true })
  signingKey!: string | null;

  /** The public key `whpk_…` that belongs to `signingKey`. */
  @Column('text', { name: 'public_key', nullable: true })
  publicKey!: string | null;

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

  /** When `webhook.failing` was recorded; null after a success. */
  @Column({ type: 'timestamptz', name: 'failing_notified_at', precision: 3, nullable: true })
  failingNotifiedAt!: Date | null;

  /** How many `webhook.failing` and `webhook.disabled` there were, which is the version of the last. */
  @Column('integer', { default: 0 })
  notices!: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: Date;
}

for (const [property, column] of Object.entries(OPTION_COLUMNS)) {
  Column({ nullable: true, ...column })(Webhook.prototype, property);
}
