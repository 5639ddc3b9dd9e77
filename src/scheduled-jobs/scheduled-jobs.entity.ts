import { Column, Entity, PrimaryColumn } from 'typeorm';

/*
 * The statements in `scheduled-jobs.sql.ts` read and write this table. No code loads this class: it describes the table to TypeORM, and a test
 * compares it with the migrations.
 */

/** Something to do at a time. The row is removed, or moved to the next time, in the commit of its effect. */
@Entity('scheduled_jobs')
export class ScheduledJobRow {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  /** Names the handler that carries it out. */
  @PrimaryColumn('text')
  kind!: string;

  /** Identifies it among those of its kind: the ID of an entry, for example. */
  @PrimaryColumn('uuid')
  key!: string;

  @Column({ type: 'timestamptz', name: 'due_at', precision: 3 })
  dueAt!: Date;

  /** When a worker may claim it: at `due_at`, when the claim of a worker ends, or after the pause that follows a failed attempt. */
  @Column({ type: 'timestamptz', name: 'next_at', precision: 3 })
  nextAt!: Date;

  /** Identifies the last claim. Null if no worker has claimed it since it was put. */
  @Column('uuid', { nullable: true })
  claim!: string | null;

  /** Number of failed attempts. */
  @Column('integer')
  attempts!: number;
}
