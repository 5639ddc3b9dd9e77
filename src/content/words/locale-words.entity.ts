import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The words of an entry in some of its locales (see `LocaleDocument`). Only entries of types with localized fields have such rows. */
@Entity('entry_locale_words')
export class EntryLocaleWords {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid', { name: 'content_type_id' })
  contentTypeId!: string;

  @PrimaryColumn('uuid', { name: 'entry_id' })
  entryId!: string;

  /** The name of the document among those of the entry. */
  @PrimaryColumn('text')
  document!: string;

  /** The views that show it. A search in a locale looks at the documents of one view. */
  @Column('text', { array: true })
  views!: string[];

  @Column('tsvector')
  words!: string;

  /** What `words` does not record (see `GAPS`). */
  @Column('smallint')
  gaps!: number;

  /** All words in order, if `words` has gaps. */
  @Column('text', { nullable: true })
  sequence!: string | null;
}
