import { Column, Entity, PrimaryColumn } from 'typeorm';

/*
 * The statements in `locale-purges.sql.ts` read and write this table. No code loads this class: it describes the table to TypeORM, and a test
 * compares it with the migrations.
 */

/** A deletion of the values of a removed locale, which a worker carries out in batches (see `LocalePurgeWorker`). */
@Entity('locale_purges')
export class LocalePurge {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  /** The code of the locale. */
  @Column('text')
  code!: string;

  /** What is done next: `entries`, and then `drafts`, of one content type after the other; then `versions`. */
  @Column('text')
  phase!: string;

  /** The content type whose entries are done next; those before it are done. */
  @Column('uuid', { name: 'type_id' })
  typeId!: string;

  /** The last entry that was done, or that of the last version. */
  @Column('uuid')
  after!: string;

  /** The number of the last version that was done. */
  @Column('integer', { name: 'after_number' })
  afterNumber!: number;

  /** How many entries lost values. */
  @Column('integer')
  entries!: number;

  @Column('integer')
  drafts!: number;

  @Column('integer')
  versions!: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'finished_at', precision: 3, nullable: true })
  finishedAt!: Date | null;
}
