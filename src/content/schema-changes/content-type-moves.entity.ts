import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { LoggedMove } from './value-moves.js';

/*
 * Statements in `schema-change.sql.ts` and `history/entry-history.sql.ts` write and read this table. No code loads this class: it describes
 * the table to TypeORM, and a test compares it with the migrations.
 */

/**
 * What a change of a content type did to the names and types of its fields. Versions that were written before are never rewritten: they are
 * read through all later changes.
 */
@Entity('content_type_moves')
export class ContentTypeMoves {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid', { name: 'content_type_id' })
  contentTypeId!: string;

  /** The version of the content type that the change made. */
  @PrimaryColumn('integer')
  version!: number;

  @Column('json')
  moves!: LoggedMove[];

  @Column({ type: 'timestamptz', precision: 3 })
  at!: Date;
}
