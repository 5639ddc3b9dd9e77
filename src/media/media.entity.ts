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

  /** As the client named it: data, never a path. */
  @Column('text')
  filename!: string;

  /** Alternative text. */
  @Column('text')
  alt!: string;

  /** Read from the bytes. */
  @Column('text', { name: 'mime_type' })
  mimeType!: string;

  /** What the url ends in; goes with the type, not with the name. */
  @Column('text')
  extension!: string;

  @Column('bigint')
  size!: string;

  /** Of images, in pixels and as they are shown. */
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
 * A variant of an image that was made, or is about to be: written before the bytes are, and removed after them, so that no bytes are
 * stored that no row names.
 */
@Entity('media_variants')
export class MediaVariant {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid', { name: 'media_id' })
  mediaId!: string;

  @PrimaryColumn('text')
  name!: string;

  /** In whole blocks of 4 KiB; 0 when they are not known, or gone. */
  @Column('bigint')
  bytes!: string;

  /** To the hour: not every request is written down. */
  @Column({ type: 'timestamptz', name: 'used_at', precision: 3 })
  usedAt!: Date;
}

/** The bytes of a tenant's variants together. */
@Entity('media_variant_totals')
export class MediaVariantTotal {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @Column('bigint')
  bytes!: string;
}

/** Files of a tenant by type, spread over shards like `entry_counts`. */
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
}

/**
 * Bytes without a row in `media`: on their way in, or on their way out. Written before the bytes are, so that whatever a crash leaves
 * behind is known by name and nobody has to list the storage.
 */
@Entity('orphaned_files')
export class OrphanedFile {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  /** False while they are on their way in; once true they never become a file. */
  @Column('boolean')
  leaving!: boolean;

  @Column({ type: 'timestamptz', precision: 3 })
  since!: Date;
}
