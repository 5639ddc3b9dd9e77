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

  /** The ID of the key that made it. */
  @Column('uuid', { name: 'created_by' })
  createdBy!: string;

  /** The fingerprint of the configured key that made it, directly or through other keys. Without that key, it is not valid. */
  @Column('bytea')
  root!: Buffer;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3, nullable: true })
  expiresAt!: Date | null;
}

/** Counts the changes of a tenant's keys. A change locks the row first, so changes of one tenant run one after the other. */
@Entity('key_versions')
export class KeyVersion {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @Column('bigint')
  version!: string;
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
