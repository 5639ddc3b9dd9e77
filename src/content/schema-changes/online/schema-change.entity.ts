import { Column, Entity, PrimaryColumn } from 'typeorm';

/*
 * The statements in `schema-changes.sql.ts` read and write this table. No code loads this class: it describes the table to TypeORM, and a
 * test compares it with the migrations.
 */

/** A change of a content type that a worker carries out in batches (see `OnlineChanges`). */
@Entity('schema_changes')
export class SchemaChangeRow {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'content_type_id' })
  contentTypeId!: string;

  /** `running`, `done` or `failed`. */
  @Column('text')
  state!: string;

  /** What is done next, as long as it is running. */
  @Column('text')
  phase!: string;

  /** The content type before and after, and the renames. Null when it is finished. */
  @Column('json', { nullable: true })
  request!: object | null;

  /** The last entry that the phase has processed. */
  @Column('uuid')
  after!: string;

  @Column('integer')
  processed!: number;

  /** The entries of the type when it began. */
  @Column('integer')
  total!: number;

  /** Entries that block it, as far as they are known. */
  @Column('integer')
  conflicts!: number;

  /** Why it failed. */
  @Column('json', { nullable: true })
  problem!: object | null;

  /** Entries that were written before have been caught up with. Null until the first batch of that. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  since!: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'finished_at', precision: 3, nullable: true })
  finishedAt!: Date | null;
}
