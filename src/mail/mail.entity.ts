import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The mail that tells of one submission. What it says is composed from submission and form when it is sent. */
@Entity('mails')
export class Mail {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid', { name: 'submission_id' })
  submissionId!: string;

  @Column('uuid', { name: 'form_id' })
  formId!: string;

  @Column('text')
  recipient!: string;

  @Column('text')
  status!: 'pending' | 'sent' | 'failed';

  /** Attempts that came to an end: the place in the retry schedule. */
  @Column('integer')
  attempts!: number;

  /** Null when nothing more is to come. */
  @Column({ type: 'timestamptz', name: 'next_attempt_at', precision: 3, nullable: true })
  nextAttemptAt!: Date | null;

  /** Until then it belongs to the worker that wrote this time, and to nobody after. */
  @Column({ type: 'timestamptz', name: 'claimed_until', precision: 3, nullable: true })
  claimedUntil!: Date | null;

  /** Why the last attempt came to nothing. */
  @Column('text', { name: 'last_error', nullable: true })
  lastError!: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'finished_at', precision: 3, nullable: true })
  finishedAt!: Date | null;
}
