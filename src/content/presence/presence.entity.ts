import { Column, Entity, PrimaryColumn } from 'typeorm';

/*
 * The statements in `presence.sql.ts` read and write this table. No code loads this class: it describes the table to TypeORM, and a test
 * compares it with the migrations.
 */

/** Who has an entry open. They announce themselves again within seconds, so that no backup has the rows. */
@Entity('entry_presence')
export class EntryPresence {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  /** The public ID of the key or of the member. */
  @PrimaryColumn('text')
  actor!: string;

  @PrimaryColumn('uuid', { name: 'entry_id' })
  entryId!: string;

  /** The name of the key. Null for a member. */
  @Column('text', { nullable: true })
  name!: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  since!: Date;

  @Column({ type: 'timestamptz', name: 'seen_at', precision: 3 })
  seenAt!: Date;
}
