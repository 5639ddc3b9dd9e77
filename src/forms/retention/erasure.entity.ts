import { Column, Entity, PrimaryColumn } from 'typeorm';

/*
 * The statements in `erasures.sql.ts` read and write this table. No code loads this class: it describes the table to TypeORM, and a test
 * compares it with the migrations.
 */

/** The erasure of all submissions of a tenant with an address. It walks through the submissions of each form, twice. */
@Entity('erasures')
export class Erasure {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  /** A hash of the address (`hashOfAddress`). Null when the erasure is done. */
  @Column('uuid', { nullable: true })
  address!: string | null;

  /** The form whose submissions are walked through. */
  @Column('uuid', { name: 'form_id' })
  formId!: string;

  /** The last submission that was looked at. */
  @Column('uuid')
  after!: string;

  /** Whether it is the second walk, to submissions that were being written during the first one. */
  @Column('boolean')
  late!: boolean;

  @Column('integer')
  submissions!: number;

  @Column('integer')
  files!: number;

  @Column('integer')
  mails!: number;

  @Column('integer')
  deliveries!: number;

  @Column({ type: 'timestamptz', name: 'requested_at', precision: 3 })
  requestedAt!: Date;

  @Column({ type: 'timestamptz', name: 'done_at', precision: 3, nullable: true })
  doneAt!: Date | null;
}
