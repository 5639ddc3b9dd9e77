import { Entity, PrimaryColumn } from 'typeorm';

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
