import { Column, Entity, PrimaryColumn } from 'typeorm';

/*
 * The statements in `drafts.sql.ts` read and write this table. No code loads this class: it describes the table to TypeORM, and a test
 * compares it with the migrations.
 */

/**
 * The draft of an entry, and whether it waits for review. An entry that is not published is its own draft for a review: then the columns of
 * the draft are null. The row stays when the draft is discarded or published, so that `number` and `links` never restart. The columns
 * that can be null are then null.
 */
@Entity('entry_drafts')
export class EntryDraft {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid', { name: 'content_type_id' })
  contentTypeId!: string;

  @PrimaryColumn('uuid', { name: 'entry_id' })
  entryId!: string;

  /** Increases with every change of a draft. Serves as the ETag and for optimistic locking. */
  @Column('integer')
  number!: number;

  /** How many times all preview links were ended. A link is valid only with the number that it was made with. */
  @Column('integer')
  links!: number;

  /** The draft's own values, without those that it removes. */
  @Column('json', { nullable: true })
  fields!: Record<string, unknown> | null;

  /** For each of the draft's own fields, the digest of the live value when the field was first saved; null if there was no value. */
  @Column('json', { nullable: true })
  bases!: Record<string, string | null> | null;

  /** Size of `fields` in bytes. */
  @Column('integer', { nullable: true })
  size!: number | null;

  /** The version of the entry when the draft was made. */
  @Column('integer', { name: 'base_version', nullable: true })
  baseVersion!: number | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, nullable: true })
  createdAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, nullable: true })
  updatedAt!: Date | null;

  /**
   * The number that the draft got from its last change by somebody who may not publish. Null if there was none since somebody who may publish has
   * published or discarded a draft.
   */
  @Column('integer', { nullable: true })
  unapproved!: number | null;

  /** The name of the key that asked for the review. Null without a name, and for a member. */
  @Column('text', { name: 'review_by', nullable: true })
  reviewBy!: string | null;

  /** The UUID of the member who asked for the review. */
  @Column('uuid', { name: 'review_member', nullable: true })
  reviewMember!: string | null;

  /** When the review was asked for; null unless it waits. */
  @Column({ type: 'timestamptz', name: 'review_at', precision: 3, nullable: true })
  reviewAt!: Date | null;

  @Column('text', { name: 'review_note', nullable: true })
  reviewNote!: string | null;

  /**
   * The public ID of the key or member who saved the draft last. It stays when the draft is applied to an entry that is not published, until that is
   * published.
   */
  @Column('text', { name: 'saved_by', nullable: true })
  savedBy!: string | null;

  @Column({ type: 'timestamptz', name: 'saved_at', precision: 3, nullable: true })
  savedAt!: Date | null;
}
