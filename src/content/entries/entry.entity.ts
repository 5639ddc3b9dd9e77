import { Column, Entity, PrimaryColumn } from 'typeorm';

/*
 * The statements in `entries.sql.ts` and `writes` read and write these tables. No code loads these classes: they describe the
 * tables to TypeORM, and a test compares them with the migrations.
 */

export type EntryStatus = 'draft' | 'published';

@Entity('entries')
export class Entry {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid', { name: 'content_type_id' })
  contentTypeId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  /** Values of the fields of the current schema. */
  @Column('json')
  fields!: Record<string, unknown>;

  /** Size of `fields` in bytes. Null in rows that were last written before this column existed. */
  @Column('integer', { nullable: true })
  size!: number | null;

  /** Values of removed fields, by `name/type`, in case such a field returns. */
  @Column('json', { nullable: true })
  retired!: Record<string, unknown> | null;

  /** Only during a change of a large type: the values after it (see `liveFields`). */
  @Column('json', { nullable: true })
  prepared!: Record<string, unknown> | null;

  /** What `retired` is after that change. */
  @Column('json', { name: 'prepared_retired', nullable: true })
  preparedRetired!: Record<string, unknown> | null;

  /** The version of the entry that `prepared` was made from. If it is another one, the entry was written since. */
  @Column('integer', { name: 'prepared_from', nullable: true })
  preparedFrom!: number | null;

  /** The version of the type that makes `prepared` the values of the entry. */
  @Column('integer', { name: 'prepared_for', nullable: true })
  preparedFor!: number | null;

  @Column('text')
  status!: EntryStatus;

  /** True from the first draft or end of preview links on: the entry has a row in `entry_drafts`. Otherwise null. */
  @Column('boolean', { nullable: true })
  drafted!: boolean | null;

  /** How many times a schedule was set, so that a deletion notices one that is set meanwhile. Null if none ever was. */
  @Column('integer', { nullable: true })
  schedules!: number | null;

  /** Increases with every change. Serves as the ETag and for optimistic locking. */
  @Column('integer')
  version!: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt!: Date;

  /** When the entry last became published. An update that leaves it published, or publishes it again, keeps the time. Null in drafts. */
  @Column({ type: 'timestamptz', name: 'published_at', precision: 3, nullable: true })
  publishedAt!: Date | null;

  /** The version that the entry got from its last change by somebody who may not publish. Null if there was none since it was published. */
  @Column('integer', { nullable: true })
  unapproved!: number | null;
}

/** The index of entries by field: a row for each value (see `Schema.indexRows`). */
@Entity('entry_values')
export class EntryValue {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid', { name: 'content_type_id' })
  contentTypeId!: string;

  @PrimaryColumn('text')
  field!: string;

  @PrimaryColumn('text', { name: 'sort_key' })
  sortKey!: string;

  /** Distinguishes values that have the same sort key. */
  @PrimaryColumn('text')
  discriminator!: string;

  @PrimaryColumn('uuid', { name: 'entry_id' })
  entryId!: string;
}

/** The words of an entry, for full-text search (see `SearchDocument`). */
@Entity('entry_words')
export class EntryWords {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid', { name: 'content_type_id' })
  contentTypeId!: string;

  @PrimaryColumn('uuid', { name: 'entry_id' })
  entryId!: string;

  @Column('tsvector')
  words!: string;

  /** What `words` does not record (see `GAPS`). */
  @Column('smallint')
  gaps!: number;

  /** All words in order, if `words` has gaps. */
  @Column('text', { nullable: true })
  sequence!: string | null;
}

/**
 * A word that an entry of the type has or had, for corrections of searches (see `near-words.ts`). It stays when its last entry is gone.
 */
@Entity('search_words')
export class SearchWord {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid', { name: 'content_type_id' })
  contentTypeId!: string;

  /** In characters. */
  @PrimaryColumn('smallint')
  length!: number;

  @PrimaryColumn('text')
  word!: string;
}

/** The entry that has a value of a `unique` field. The primary key enforces the uniqueness. */
@Entity('entry_uniques')
export class EntryUnique {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid', { name: 'content_type_id' })
  contentTypeId!: string;

  @PrimaryColumn('text')
  field!: string;

  @PrimaryColumn('text')
  value!: string;

  @Column('uuid', { name: 'entry_id' })
  entryId!: string;
}

/**
 * Number of entries of a type by status, spread over shards so that writers do not all wait for one row. A total is the sum of the shards.
 */
@Entity('entry_counts')
export class EntryCount {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid', { name: 'content_type_id' })
  contentTypeId!: string;

  @PrimaryColumn('smallint')
  shard!: number;

  @Column('bigint')
  drafts!: string;

  @Column('bigint')
  published!: string;

  /** A random number, replaced by every write of an entry. Those of all shards are the state of the entries (see `TotalCache`). */
  @Column('bigint')
  state!: string;
}
