import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { SubscribedType } from './subscribed-events.js';
import type { WebhookFilters } from './webhook-filters.js';

/** `gone`: the receiver responded with 410. `failing`: all attempts failed for five days. */
export const DISABLED_REASONS = ['gone', 'failing'] as const;

export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** What deliveries carry: the whole data of the event, or the IDs of its resource. */
export const PAYLOADS = ['full', 'thin'] as const;

export type Payload = (typeof PAYLOADS)[number];

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

@Entity('webhooks')
export class Webhook {
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

  @Column('text', { nullable: true })
  description!: string | null;

  /** The names of the webhook's own headers, as they were sent. */
  @Column('text', { name: 'header_names', array: true, nullable: true })
  headerNames!: string[] | null;

  /** The own headers as JSON (`OwnHeaders`), encrypted by `SecretCipher`. No response contains it. */
  @Column('text', { nullable: true })
  headers!: string | null;

  @Column('json', { nullable: true })
  filters!: WebhookFilters | null;

  /** Null as long as it was not set, which means full. */
  @Column('text', { nullable: true })
  payload!: Payload | null;

  /** Null as long as it was not set. */
  @Column('integer', { name: 'max_concurrency', nullable: true })
  maxConcurrency!: number | null;

  /** Whether events of one resource are delivered one after the other. Null as long as it was not set. */
  @Column('boolean', { nullable: true })
  ordered!: boolean | null;

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
  @Column({ type: 'timestamptz', name: 'told_failing_at', precision: 3, nullable: true })
  failingNotifiedAt!: Date | null;

  /** How many `webhook.failing` and `webhook.disabled` there were, which is the version of the last. */
  @Column('integer', { default: 0 })
  notices!: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: Date;
}
