import { Column, Entity, PrimaryColumn } from 'typeorm';

/*
 * The statements in `create-submission.sql.ts` and `submission-table.ts` read and write these tables. No code loads these classes: they
 * describe the tables to TypeORM, and a test compares them with the migrations.
 */

@Entity('submissions')
export class Submission {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid', { name: 'form_id' })
  formId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  @Column('json')
  fields!: Record<string, string>;

  /** Size of `fields` in bytes. Null in rows that were written before this column existed. */
  @Column('integer', { nullable: true })
  size!: number | null;

  /** The event `form.submitted`. Null for spam, and in rows that were written before this column existed. */
  @Column('uuid', { name: 'event_id', nullable: true })
  eventId!: string | null;

  /** Hashes of the addresses in `email` fields, by which erasure finds the submission. Null if there are none. */
  @Column('uuid', { array: true, nullable: true })
  addresses!: string[] | null;

  /** A hash of all values, by which duplicates are found. */
  @Column('uuid', { nullable: true })
  digest!: string | null;

  /** The origin of the page. */
  @Column('text', { nullable: true })
  origin!: string | null;

  /** The first language tag of the visitor's browser. */
  @Column('text', { nullable: true })
  locale!: string | null;

  /** Null: `ok`. */
  @Column('text', { nullable: true })
  verdict!: 'spam' | null;

  /** Why it was taken for spam; kept after a release. */
  @Column('text', { array: true, nullable: true })
  reasons!: string[] | null;

  /** Null: `new`. */
  @Column('text', { nullable: true })
  state!: 'read' | 'done' | null;

  @Column('text', { nullable: true })
  note!: string | null;

  /** Whether it arrived while its form had `store: false`, so that it is deleted when it was mailed and delivered. */
  @Column('boolean', { nullable: true })
  unstored!: true | null;

  /** Whether the form wanted to know when the visitor received it, and no valid time token told it. */
  @Column('boolean', { nullable: true })
  untimed!: true | null;

  /** Whether a solved challenge, or a time token that was old enough, came with it. The autoresponder asks for it. */
  @Column('boolean', { nullable: true })
  guarded!: true | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: Date;
}

/** The index of submissions by field, for sorting (see `indexRowsSliced`). */
@Entity('submission_values')
export class SubmissionValue {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid', { name: 'form_id' })
  formId!: string;

  @PrimaryColumn('text')
  field!: string;

  @PrimaryColumn('text', { name: 'sort_key' })
  sortKey!: string;

  @PrimaryColumn('uuid', { name: 'submission_id' })
  submissionId!: string;

  /** Distinguishes values that have the same sort key. Every statement writes it. */
  @Column('text', { default: '?' })
  discriminator!: string;
}

/** Number of submissions of a form, spread over shards like `EntryCount`. Spam is counted apart. */
@Entity('submission_counts')
export class SubmissionCount {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid', { name: 'form_id' })
  formId!: string;

  @PrimaryColumn('smallint')
  shard!: number;

  @Column('bigint')
  submissions!: string;

  @Column('bigint', { default: 0 })
  spam!: string;

  /** A random number, replaced by every change of what a list may match. Those of all shards are the state of the submissions (see `TotalCache`). */
  @Column('bigint', { default: 0 })
  state!: string;
}
