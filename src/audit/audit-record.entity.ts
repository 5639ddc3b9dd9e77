import { Column, Entity, PrimaryColumn } from 'typeorm';

/*
 * The statements of this module read and write this table. No code loads this class: it describes the table to TypeORM, and a test compares
 * it with the migrations.
 */

/** A change of a resource over the API. The UUID holds its time. The IDs are as the API shows them, so that every record can be read. */
@Entity('audit_records')
export class AuditRecord {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  /** The public ID of the key or of the member. */
  @Column('text', { name: 'actor_id' })
  actorId!: string;

  /** The name of the key at that time; empty for a member, whose name is that of today. */
  @Column('text', { name: 'actor_name' })
  actorName!: string;

  @Column('text')
  action!: string;

  @Column('text', { name: 'resource_type' })
  resourceType!: string;

  @Column('text', { name: 'resource_id' })
  resourceId!: string;

  /** The names of what was changed, separated by commas. Null if the change was not about single properties. */
  @Column('text', { nullable: true })
  changes!: string | null;

  @Column('text', { name: 'request_id' })
  requestId!: string;

  /** Null unless `AUDIT_IP` was set. */
  @Column('text', { nullable: true })
  ip!: string | null;

  /** The program of the service that sent the request for the client (`mcp`). Null if the client sent it to the API. */
  @Column('text', { nullable: true })
  via!: string | null;
}
