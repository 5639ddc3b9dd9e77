import { Column, Entity, PrimaryColumn } from 'typeorm';
import { WorkColumns } from '../work/work-row.entity.js';

/*
 * The statements in `mails.sql.ts` read and write these tables. No code loads these classes: they describe the tables to TypeORM, and a
 * test compares them with the migrations.
 */

/**
 * The email about one submission, or about several (a digest, see `digestId`). Its content is composed from the submissions and the form
 * when it is sent.
 */
@Entity('mails')
export class Mail extends WorkColumns<'pending' | 'sent' | 'failed' | 'gathered'> {
  @PrimaryColumn('uuid', { name: 'submission_id' })
  submissionId!: string;

  @Column('uuid', { name: 'form_id' })
  formId!: string;

  @Column('text')
  recipient!: string;

  /**
   * The digest that lists the submission, identified by its first submission. Null if the submission has its own email. The row of the
   * first submission represents the digest; the others are `gathered` and are never sent.
   */
  @Column('uuid', { name: 'digest_id', nullable: true })
  digestId!: string | null;

  /** The reason for the last failed attempt. */
  @Column('text', { name: 'last_error', nullable: true })
  lastError!: string | null;
}

/** Number of submissions of a form for a recipient in the current hour. It decides whether another submission gets its own email. */
@Entity('mail_hours')
export class MailHour {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid', { name: 'form_id' })
  formId!: string;

  @PrimaryColumn('text')
  recipient!: string;

  /** The start of the hour, which begins with a submission. */
  @Column({ type: 'timestamptz', name: 'began_at', precision: 3 })
  beganAt!: Date;

  @Column('integer')
  submissions!: number;

  /** Whether the hour before had too many submissions, so that all submissions of this hour go into digests. */
  @Column('boolean')
  gathers!: boolean;

  /** The open digest, to which submissions are added until a worker claims it. */
  @Column('uuid', { name: 'digest_id', nullable: true })
  digestId!: string | null;
}
