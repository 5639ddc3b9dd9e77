import { Column, Entity, PrimaryColumn } from 'typeorm';

/*
 * The statements in `submission-files.sql.ts` read and write this table. No code loads this class: it describes the table to TypeORM, and a
 * test compares it with the migrations.
 */

/** A file of a submission. The storage has its bytes as those of a private file. */
@Entity('submission_files')
export class SubmissionFile {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'form_id' })
  formId!: string;

  @Column('uuid', { name: 'submission_id' })
  submissionId!: string;

  /** The name of the field that it was sent in. */
  @Column('text')
  field!: string;

  /** See `cleanName`. It is data and never a path. */
  @Column('text')
  name!: string;

  /** Read from the bytes, except for plain text. */
  @Column('text', { name: 'mime_type' })
  mimeType!: string;

  /** In bytes. */
  @Column('bigint')
  size!: string;
}
