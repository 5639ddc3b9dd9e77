import { Column, Entity, PrimaryColumn } from 'typeorm';
import { WorkColumns } from '../../work/work-row.entity.js';

/** What a letter is about. */
export type LetterKind = 'invitation' | 'reset' | 'review';

/** `canceled`: what it was about no longer exists, or its link is no longer valid. */
type LetterStatus = 'pending' | 'sent' | 'failed' | 'canceled';

/** An email to a person, which may contain a token. The row has its content, encrypted, only until it is sent or given up. */
@Entity('letters')
export class LetterRow extends WorkColumns<LetterStatus> {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  kind!: LetterKind;

  /** A hash of the address, of which the tenant is a part. */
  @Column('uuid', { nullable: true })
  recipient!: string | null;

  /** The encrypted JSON of a `Letter`. */
  @Column('text', { nullable: true })
  content!: string | null;

  /** The reason for the last failed attempt, without addresses and URLs. */
  @Column('text', { name: 'last_error', nullable: true })
  lastError!: string | null;
}
