import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What equal submissions of a form wait for, if it refuses duplicates: 256 rows at most. The digest of a submission decides its row. */
@Entity('digest_slots')
export class DigestSlot {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid', { name: 'form_id' })
  formId!: string;

  /** The first byte of the digest. */
  @PrimaryColumn('smallint')
  slot!: number;

  /** How many submissions changed it. */
  @Column('bigint')
  changes!: string;
}
