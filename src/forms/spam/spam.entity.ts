import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A solution of a challenge that was used. `SolutionRetention` deletes it when it has expired. */
@Entity('challenge_solutions')
export class ChallengeSolution {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  /** When the challenge expires. It leads the key, so that expired rows are found by it. */
  @PrimaryColumn({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt!: Date;

  /** A hash of the challenge's signature. */
  @PrimaryColumn('uuid')
  id!: string;
}

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
