import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { FieldDefinition } from '../fields/field-definition.js';

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

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: Date;
}
