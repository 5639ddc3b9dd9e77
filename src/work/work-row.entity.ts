import { Column, PrimaryColumn } from 'typeorm';

/** The columns that all tables of work have (see `work.sql.ts`). */
export abstract class WorkColumns<Status extends string> {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @Column('text')
  status!: Status;

  /** Number of completed attempts, which is the position in the retry schedule. */
  @Column('integer')
  attempts!: number;

  /** Null if there is no further attempt. */
  @Column({ type: 'timestamptz', name: 'next_attempt_at', precision: 3, nullable: true })
  nextAttemptAt!: Date | null;

  /** Until then, only the worker that wrote this time may process the row. */
  @Column({ type: 'timestamptz', name: 'claimed_until', precision: 3, nullable: true })
  claimedUntil!: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'finished_at', precision: 3, nullable: true })
  finishedAt!: Date | null;
}

/** The columns of a `WorkSubscriber`'s table. An entity extends it: `@Entity('crm_jobs') export class CrmJob extends WorkRow {}`. */
export abstract class WorkRow extends WorkColumns<'pending' | 'done' | 'failed'> {
  @PrimaryColumn('uuid', { name: 'event_id' })
  eventId!: string;

  /** The reason for the last failed attempt. */
  @Column('text', { name: 'last_error', nullable: true })
  lastError!: string | null;
}
