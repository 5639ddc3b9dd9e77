import { Column, Entity, PrimaryColumn } from 'typeorm';

/*
 * The statements in `mails.sql.ts` read and write these tables. No code loads these classes: they describe the tables to TypeORM, and a
 * test compares them with the migrations.
 */

/**
 * The mail about one submission, or about several (a digest, see `digestId`). What it says is composed from submissions and form when it
 * is sent.
 */
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
  status!: 'pending' | 'sent' | 'failed' | 'gathered';

  /**
   * The digest that lists the submission, named by its first one; null: the submission has a mail of its own. The row whose own submission
   * this is stands for the digest, the others are `gathered` and never sent themselves.
   */
  @Column('uuid', { name: 'digest_id', nullable: true })
  digestId!: string | null;

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

/** How many submissions a form had for a recipient in the current hour, which decides whether one more has a mail of its own. */
@Entity('mail_hours')
export class MailHour {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid', { name: 'form_id' })
  formId!: string;

  @PrimaryColumn('text')
  recipient!: string;

  /** The hour begins with a submission. */
  @Column({ type: 'timestamptz', name: 'began_at', precision: 3 })
  beganAt!: Date;

  @Column('integer')
  submissions!: number;

  /** The hour before had too many submissions: all of this one's are gathered. */
  @Column('boolean')
  gathers!: boolean;

  /** The digest that still takes submissions, until a worker claims it. */
  @Column('uuid', { name: 'digest_id', nullable: true })
  digestId!: string | null;
}
