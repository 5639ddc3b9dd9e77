import { Column, Entity, PrimaryColumn } from 'typeorm';

/*
 * The statements in `media.sql.ts` and `variants.sql.ts` read and write these tables. No code loads these classes: they describe the
 * tables to TypeORM, and a test compares them with the migrations.
 */

/** An uploaded file. */
@Entity('media')
export class Media {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  /** See `cleanName`. It is data and never a path. */
  @Column('text')
  filename!: string;

  /** Alternative text. */
  @Column('text')
  alt!: string;

  /** Read from the bytes. */
  @Column('text', { name: 'mime_type' })
  mimeType!: string;

  /** The extension of the URL. It depends on the type, not on the name. */
  @Column('text')
  extension!: string;

  @Column('bigint')
  size!: string;

  /** The sides of an image in pixels, as it is shown. */
  @Column('integer', { nullable: true })
  width!: number | null;

  @Column('integer', { nullable: true })
  height!: number | null;

  /** The words of filename and alternative text. */
  @Column('tsvector')
  search!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: Date;
}

/**
 * A variant of an image that exists or will be created. The row is written before the bytes and removed after them, so that all stored
 * bytes have a row.
 */
@Entity('media_variants')
export class MediaVariant {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid', { name: 'media_id' })
  mediaId!: string;

  @PrimaryColumn('text')
  name!: string;

  /** In whole blocks of 4 KiB; 0 if the size is unknown or the bytes were removed. */
  @Column('bigint')
  bytes!: string;

  /** Accurate to the hour, because not every request is recorded. */
  @Column({ type: 'timestamptz', name: 'used_at', precision: 3 })
  usedAt!: Date;
}

/** Total bytes of a tenant's variants. */
@Entity('media_variant_totals')
export class MediaVariantTotal {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @Column('bigint')
  bytes!: string;
}

/** Number and bytes of the files of a tenant by type, spread over shards like `entry_counts`. */
@Entity('media_counts')
export class MediaCount {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('text', { name: 'mime_type' })
  mimeType!: string;

  @PrimaryColumn('smallint')
  shard!: number;

  @Column('bigint')
  files!: string;

  @Column('bigint', { default: 0 })
  bytes!: string;
}

/** Number and bytes of a tenant's private files, spread over shards like `MediaCount`. */
@Entity('private_file_counts')
export class PrivateFileCount {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('smallint')
  shard!: number;

  @Column('bigint')
  files!: string;

  @Column('bigint')
  bytes!: string;
}

/**
 * Bytes without a row, because they are being stored or removed. The row is written before the bytes, so that all remains of a
 * crash are known and the storage need not be listed.
 */
@Entity('orphaned_files')
export class OrphanedFile {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  /** False while the bytes are being stored. Once it is true, they never become a file. */
  @Column('boolean')
  leaving!: boolean;

  @Column({ type: 'timestamptz', precision: 3 })
  since!: Date;
}
