import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { IndexNames } from '../fields/compiled-field.js';
import type { LocaleSettings } from '../fields/localized/locale-settings.js';
import { ownName } from '../fields/localized/localized-names.js';
import type { FieldDefinition } from '../fields/field-definition.js';
import type { SearchLanguage } from '../search/stemmer.js';

/**
 * Maps each reference field, by its key (`sections.hero.author`), to the ID of its content type. For a field with `content_types`, these are IDs in the order of the names.
 */
export type Targets = Readonly<Record<string, string | readonly string[]>>;

/** Returns the IDs of the content types that values of the field may refer to. */
export function targetsOf(targets: Targets, field: string): readonly string[] {
  const key = ownName(field);
  return Object.hasOwn(targets, key) ? [targets[key] ?? []].flat() : [];
}

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

  /** Stored as they were sent, with the attributes in the order in which they were sent. */
  @Column('json')
  fields!: FieldDefinition[];

  /** Definitions of removed fields, the most recently removed last. Entries may still store values of them. */
  @Column('json')
  retired!: FieldDefinition[];

  /** The content types of the reference fields, because a slug may later belong to another type. */
  @Column('json')
  targets!: Targets;

  /** Whether published entries are read without an API key. Null if it was never sent, which counts as no. */
  @Column('boolean', { nullable: true })
  public!: boolean | null;

  /** The language whose word stems search uses. Null if there is none. */
  @Column('text', { nullable: true })
  language!: SearchLanguage | null;

  /** Where a site shows a draft of an entry (see `checkPreviewUrl`). Null if it was not sent. */
  @Column('text', { name: 'preview_url', nullable: true })
  previewUrl!: string | null;

  /**
   * True once a reference field with `on_delete` (`refuse` or `clear`) has named the type: deletions of its entries then look for such
   * references. It stays true. Null before.
   */
  @Column('boolean', { nullable: true })
  guarded!: boolean | null;

  /** Increases with every update of `fields`, `slug`, `public` or `language`, and when `guarded` is set. What is based on another version is stale. */
  @Column('integer')
  version!: number;

  /** The names that fields have in the indexes of values, where these are others: a change of a large type writes new rows beside the old. */
  @Column('json', { name: 'index_names', nullable: true })
  indexNames!: IndexNames | null;

  /** The locales in which the values of its entries are stored and indexed. Null if no field is localized. */
  @Column('json', { nullable: true })
  locales!: LocaleSettings | null;

  /** The change of its entries that is in progress in the background (see `SchemaChangeRow`). */
  @Column('uuid', { name: 'change_id', nullable: true })
  changeId!: string | null;

  /** Increases with every update. Serves as the ETag. */
  @Column('integer', { default: 1 })
  revision!: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt!: Date;
}
