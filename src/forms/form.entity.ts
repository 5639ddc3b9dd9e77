import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { IndexNames } from '../fields/compiled-field.js';
import type { FieldDefinition } from '../fields/field-definition.js';
import type { FormSettings } from './settings/form-settings.js';

/** How far the index of submissions follows the fields of a form (`SubmissionReindexing`). */
export interface Reindexing {
  /** The names of the fields that have no complete rows yet. */
  names: readonly string[];
  /** Names in the index whose rows are to be removed. */
  stale: readonly string[];
  /** The last submission that has its rows. */
  after: string;
  /** When the rows of submissions that were being written during the last change are added. ISO 8601. */
  lateAt: string;
}

@Entity('forms')
export class Form {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  @Column('text')
  slug!: string;

  /** Stored as they were sent, with the attributes in the order in which they were sent. */
  @Column('json')
  fields!: FieldDefinition[];

  @Column('text', { name: 'notify_email', nullable: true })
  notifyEmail!: string | null;

  /** Null if none is set. */
  @Column('json', { nullable: true })
  settings!: FormSettings | null;

  /** Increases with every update. Serves as the ETag. What is based on another version is stale. */
  @Column('integer', { default: 1 })
  version!: number;

  /** The names that fields have in the index of submissions, where these are others: of fields that were added or changed their type later. */
  @Column('json', { name: 'index_names', nullable: true })
  indexNames!: IndexNames | null;

  /** The names of fields that the form no longer has, the most recently removed last. Submissions may have values of them. */
  @Column('json', { nullable: true })
  former!: string[] | null;

  /** What is left to do in the index of submissions after changes of `fields`. Null if it is as the fields require. */
  @Column('json', { nullable: true })
  reindexing!: Reindexing | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: Date;
}
