import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The state of a resource after a change. Versions are never changed. Events refer to them, so that the values of a change are stored once
 * for its events, the feed, deliveries and the history.
 */
@Entity('versions')
export class Version {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid', { name: 'resource_id' })
  resourceId!: string;

  /** Grows with every change of the resource. There may be gaps. */
  @PrimaryColumn('integer')
  number!: number;

  /** What the history shows in its list, as the JSON text of an object. Its form belongs to the module of the resource. */
  @Column('text')
  summary!: string;

  /** JSON text of the resource as its get endpoint returned it. It is not `json`, whose input PostgreSQL would parse. */
  @Column('text')
  data!: string;

  /** What the resource's module stores of the state, as JSON text, if `data` does not show all of it. Null for most. */
  @Column('text', { nullable: true })
  stored!: string | null;

  /**
   * What the form of `data` depends on when it was written: the version of the content type. Null if it is not known. Later changes of the
   * type are applied when the version is read.
   */
  @Column('integer', { name: 'schema_version', nullable: true })
  schemaVersion!: number | null;

  @Column({ type: 'timestamptz', precision: 3 })
  at!: Date;

  /** The last event that refers to the version when it is written; null if none does. */
  @Column('uuid', { name: 'event_id', nullable: true })
  eventId!: string | null;
}
