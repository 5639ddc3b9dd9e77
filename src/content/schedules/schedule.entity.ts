import { Column, Entity, PrimaryColumn } from 'typeorm';

/*
 * The statements in `schedules.sql.ts` read and write this table. No code loads this class: it describes the table to TypeORM, and a test
 * compares it with the migrations.
 */

/** The times that remain of an entry's schedule. Unless it has failed, a row of `scheduled_jobs` says when the earlier one is due. */
@Entity('entry_schedules')
export class EntrySchedule {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid', { name: 'entry_id' })
  entryId!: string;

  @Column('uuid', { name: 'content_type_id' })
  contentTypeId!: string;

  @Column({ type: 'timestamptz', name: 'publish_at', precision: 3, nullable: true })
  publishAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'unpublish_at', precision: 3, nullable: true })
  unpublishAt!: Date | null;

  /** The codes of the locales that it publishes and takes off; null if it publishes and unpublishes the entry. */
  @Column('text', { array: true, nullable: true })
  locales!: string[] | null;

  /** Why the earlier time could not be carried out; null if the schedule has not failed. */
  @Column('json', { nullable: true })
  problem!: object | null;

  /** The version of the entry when the schedule was set. */
  @Column('integer', { name: 'entry_version', default: 0 })
  entryVersion!: number;

  /** The number of the draft when the schedule was set. What somebody who may not publish has changed since is not published. */
  @Column('integer', { name: 'draft_number', default: 0 })
  draftNumber!: number;
}
