import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The words of a submission, for full-text search (see `SearchDocument`). */
@Entity('submission_words')
export class SubmissionWordsRow {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid', { name: 'form_id' })
  formId!: string;

  @PrimaryColumn('uuid', { name: 'submission_id' })
  submissionId!: string;

  @Column('tsvector')
  words!: string;

  /** What `words` does not record (see `GAPS`). */
  @Column('smallint')
  gaps!: number;

  /** All words in order, if `words` has gaps. */
  @Column('text', { nullable: true })
  sequence!: string | null;
}

/** How far the submissions of a form have words. A form that was never searched has no row. */
@Entity('submission_word_marks')
export class SubmissionWordMark {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid', { name: 'form_id' })
  formId!: string;

  /** The submissions up to this ID have words. */
  @Column('uuid')
  after!: string;
}

/** Numbers of deleted submissions by the day on which they arrived, which statistics still count. */
@Entity('deleted_submissions')
export class DeletedSubmissions {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid', { name: 'form_id' })
  formId!: string;

  /** A day in UTC. */
  @PrimaryColumn('date')
  day!: string;

  @Column('bigint')
  ok!: string;

  @Column('bigint')
  spam!: string;
}
