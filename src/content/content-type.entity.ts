import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { FieldDefinition } from '../fields/field-definition.js';

@Entity('content_types')
export class ContentType {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  @Column('text')
  slug!: string;

  /** As they were sent, attributes in their order. */
  @Column('json')
  fields!: FieldDefinition[];

  /** Definitions of fields that were removed while entries held values of them, the latest last. */
  @Column('json')
  retired!: FieldDefinition[];

  /** Of each reference field the id of the content type it names: a slug may change hands later. */
  @Column('json')
  targets!: Record<string, string>;

  /** Goes up with every change of `fields`: what is compiled or validated for another version is stale. */
  @Column('integer')
  version!: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt!: Date;
}
