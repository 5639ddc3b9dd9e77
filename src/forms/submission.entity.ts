import { Column, Entity, PrimaryColumn } from 'typeorm';

/*
 * The statements in `submissions.sql.ts` and `submission-list.sql.ts` read and write these tables. No code loads these classes: they
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

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: Date;
}

/** The index of submissions by field, for sorting (see `indexRowsSteps`). */
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
}

/** Number of submissions of a form, spread over shards like `EntryCount`. */
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
}
