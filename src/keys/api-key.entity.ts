import { Column, Entity, PrimaryColumn } from 'typeorm';

/*
 * The statements in `keys.sql.ts` read and write these tables. No code loads these classes: they describe the tables to TypeORM, and a
 * test compares them with the migrations.
 */

/** An API key that was made over the API. Revoked and expired keys are deleted. */
@Entity('api_keys')
export class ApiKey {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  /** SHA-256 of the key. The key itself is not stored. */
  @Column('bytea')
  hash!: Buffer;

  @Column('text')
  name!: string;

  /** Narrowed scopes name the content type by its public ID. */
  @Column('text', { array: true })
  scopes!: string[];

  /** The locales whose values it may change; null: all. */
  @Column('text', { array: true, nullable: true })
  locales!: string[] | null;

  /** The UUID of the key or of the member that made it. */
  @Column('uuid', { name: 'created_by' })
  createdBy!: string;

  /**
   * The fingerprint of the configured key that made it, directly or through other keys. Without that key, it is not valid. Null if a person
   * made it.
   */
  @Column('bytea', { nullable: true })
  root!: Buffer | null;

  /** The member who made it, directly or through other keys: it may do at most what the member's role allows, and ends with the membership. */
  @Column('uuid', { name: 'member_id', nullable: true })
  memberId!: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3, nullable: true })
  expiresAt!: Date | null;
}

/**
 * Counts the changes of who may use a tenant. A change of keys, roles or members locks the row first, so such changes of one tenant run one
 * after the other.
 */
@Entity('access_versions')
export class AccessVersion {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  /** The number of changes of keys, roles and members. */
  @Column('bigint')
  version!: string;

  /** How often sessions ended. */
  @Column('bigint')
  ended!: string;
}

/** When a key, of the configuration too, was last used. */
@Entity('key_uses')
export class KeyUse {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid', { name: 'key_id' })
  keyId!: string;

  /** The minute. */
  @Column({ type: 'timestamptz', name: 'last_used_at', precision: 3 })
  lastUsedAt!: Date;
}
