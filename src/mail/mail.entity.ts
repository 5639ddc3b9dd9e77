import { Column, Entity, PrimaryColumn } from 'typeorm';
import { WorkColumns } from '../work/work-row.entity.js';

/*
 * The statements in `mails.sql.ts` read and write these tables. No code loads these classes: they describe the tables to TypeORM, and a
 * test compares them with the migrations.
 */

/** `gathered`: it is listed in a digest. `canceled`: what it was about no longer exists. `skipped`: a limit forbids it. */
export type MailStatus = 'pending' | 'sent' | 'failed' | 'gathered' | 'canceled' | 'skipped';

/**
 * An email about one submission, or about several (a digest, see `digestId`). Its content is composed from the submissions and the form
 * when it is sent, so that the row holds nothing that a visitor sent.
 */
@Entity('mails')
export class Mail extends WorkColumns<MailStatus> {
  /** The ID of the email. The first email of a submission has the submission's UUID, others have UUIDs of their own. */
  @PrimaryColumn('uuid', { name: 'submission_id' })
  id!: string;

  /** The submission, unless `id` is its UUID. */
  @Column('uuid', { name: 'about_id', nullable: true })
  aboutId!: string | null;

  @Column('uuid', { name: 'form_id' })
  formId!: string;

  /** Empty if `field` names it. */
  @Column('text')
  recipient!: string;

  /** The subject of the rule that the email follows, with its placeholders. Null: the common subject. */
  @Column('text', { nullable: true })
  subject!: string | null;

  /** The field of the submission with the recipient's address. Only an email of the autoresponder has it. */
  @Column('text', { nullable: true })
  field!: string | null;

  /**
   * The digest that lists the submission, identified by its first email. Null if the submission has its own email. The row of the
   * first one represents the digest; the others are `gathered` and are never sent.
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

/** The hour after an email to a visitor, in which the address receives no other one of the tenant. */
@Entity('autoresponder_recipients')
export class AutoresponderRecipient {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  /** A hash of the address, of which the tenant is a part. */
  @PrimaryColumn('uuid')
  address!: string;

  @Column('uuid', { name: 'mail_id' })
  mailId!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  until!: Date;
}

/** Number of emails within an hour. What is counted belongs to no tenant alone. */
@Entity('address_hours')
export class AddressHour {
  /** A hash of an address, with what is sent to it. */
  @PrimaryColumn('uuid')
  address!: string;

  @Column('integer')
  sent!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  until!: Date;
}

/** Number of emails on a day. */
@Entity('mail_days')
export class MailDay {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  /** A form, whose emails to visitors are counted; all forms (the least UUID); or invitations (the next one). */
  @PrimaryColumn('uuid')
  counter!: string;

  /** UTC. */
  @Column('date')
  day!: string;

  @Column('integer')
  mails!: number;
}
