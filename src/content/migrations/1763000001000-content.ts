import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Content types, their entries, and what is derived from these. Entries have no foreign key to their type: the statement that writes an
 * entry locks the type's row itself, because it needs its version, so a constraint would check the same thing twice.
 */
export class Content1763000001000 implements MigrationInterface {
  name = 'Content1763000001000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE content_types (
        tenant_id text COLLATE "C" NOT NULL REFERENCES tenants (id),
        id uuid NOT NULL,
        name text NOT NULL,
        slug text COLLATE "C" NOT NULL,
        fields json NOT NULL,
        retired json NOT NULL,
        targets json NOT NULL,
        version integer NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        public boolean,
        language text,
        guarded boolean,
        revision integer NOT NULL DEFAULT 1,
        index_names json,
        change_id uuid,
        PRIMARY KEY (tenant_id, id),
        CONSTRAINT content_types_slug UNIQUE (tenant_id, slug)
      )`);

    await queryRunner.query(`
      CREATE TABLE content_type_moves (
        tenant_id text COLLATE "C" NOT NULL,
        content_type_id uuid NOT NULL,
        version integer NOT NULL,
        moves json NOT NULL,
        at timestamptz(3) NOT NULL,
        PRIMARY KEY (tenant_id, content_type_id, version)
      )`);

    await queryRunner.query(`
      CREATE TABLE schema_changes (
        tenant_id text COLLATE "C" NOT NULL,
        id uuid NOT NULL,
        content_type_id uuid NOT NULL,
        state text NOT NULL,
        phase text NOT NULL,
        request json,
        after uuid NOT NULL,
        processed integer NOT NULL,
        total integer NOT NULL,
        conflicts integer NOT NULL,
        problem json,
        created_at timestamptz(3) NOT NULL,
        finished_at timestamptz(3),
        since timestamptz(3),
        PRIMARY KEY (tenant_id, id)
      )`);
    await queryRunner.query(`CREATE INDEX schema_changes_of_type ON schema_changes (tenant_id, content_type_id)`);

    await queryRunner.query(`
      CREATE TABLE entries (
        tenant_id text COLLATE "C" NOT NULL,
        content_type_id uuid NOT NULL,
        id uuid NOT NULL,
        fields json NOT NULL,
        retired json,
        status text COLLATE "C" NOT NULL,
        version integer NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        size integer,
        drafted boolean,
        schedules integer,
        prepared json,
        prepared_retired json,
        prepared_from integer,
        prepared_for integer,
        published_at timestamptz(3),
        unapproved integer
      )
      WITH (autovacuum_analyze_scale_factor = 0.02)`);
    await queryRunner.query(
      `CREATE INDEX entries_draft ON entries (tenant_id, content_type_id, id) WHERE status = 'draft'`,
    );
    await queryRunner.query(
      `CREATE INDEX entries_published ON entries (tenant_id, content_type_id, id) WHERE status = 'published'`,
    );
    await queryRunner.query(`CREATE INDEX entries_updated ON entries (tenant_id, content_type_id, updated_at)`);
    // A content type belongs to one tenant. A planner that multiplied their selectivities would expect no rows. So it is below.
    await queryRunner.query(
      `CREATE STATISTICS entries_of_tenant (ndistinct, dependencies) ON tenant_id, content_type_id FROM entries`,
    );
    // The newest index. Until the table has statistics, `entries_updated` seems as cheap for a look-up by ID, and PostgreSQL then takes
    // the newer index: each look-up would read all entries of the content type.
    await queryRunner.query(`ALTER TABLE entries ADD PRIMARY KEY (tenant_id, content_type_id, id)`);

    await queryRunner.query(`
      CREATE TABLE entry_uniques (
        tenant_id text COLLATE "C" NOT NULL,
        content_type_id uuid NOT NULL,
        field text COLLATE "C" NOT NULL,
        value text COLLATE "C" NOT NULL,
        entry_id uuid NOT NULL,
        PRIMARY KEY (tenant_id, content_type_id, field, value)
      )`);

    await queryRunner.query(`
      CREATE TABLE entry_values (
        tenant_id text COLLATE "C" NOT NULL,
        content_type_id uuid NOT NULL,
        field text COLLATE "C" NOT NULL,
        sort_key text COLLATE "C" NOT NULL,
        discriminator text COLLATE "C" NOT NULL,
        entry_id uuid NOT NULL,
        PRIMARY KEY (tenant_id, content_type_id, entry_id, field, sort_key, discriminator)
      )
      WITH (autovacuum_analyze_scale_factor = 0.02)`);
    await queryRunner.query(
      `CREATE INDEX entry_values_order ON entry_values (tenant_id, content_type_id, field, sort_key, entry_id) INCLUDE (discriminator)`,
    );
    await queryRunner.query(
      `CREATE STATISTICS entry_values_of_tenant (ndistinct, dependencies) ON tenant_id, content_type_id, field FROM entry_values`,
    );

    // The words have their own table, so that changing a number does not rewrite their index, and counting matches reads narrow rows.
    // Their lexemes begin with the content type (see src/search/words.ts).
    await queryRunner.query(`
      CREATE TABLE entry_words (
        tenant_id text COLLATE "C" NOT NULL,
        content_type_id uuid NOT NULL,
        entry_id uuid NOT NULL,
        words tsvector NOT NULL,
        gaps smallint NOT NULL DEFAULT 0,
        sequence text,
        PRIMARY KEY (tenant_id, content_type_id, entry_id)
      )
      WITH (toast_tuple_target = 128, autovacuum_analyze_scale_factor = 0.02)`);
    await queryRunner.query(`ALTER TABLE entry_words ALTER words SET STORAGE EXTERNAL`);
    // Every search reads the pending list, which `SearchIndexUpkeep` empties soon after a search. Without a list, a write would cost twice as much.
    await queryRunner.query(
      `CREATE INDEX entry_words_search ON entry_words USING gin (words) WITH (gin_pending_list_limit = 4096)`,
    );
    await queryRunner.query(
      `CREATE STATISTICS entry_words_of_tenant (ndistinct, dependencies) ON tenant_id, content_type_id FROM entry_words`,
    );

    await queryRunner.query(`
      CREATE TABLE search_words (
        tenant_id text COLLATE "C" NOT NULL,
        content_type_id uuid NOT NULL,
        length smallint NOT NULL,
        word text COLLATE "C" NOT NULL,
        PRIMARY KEY (tenant_id, content_type_id, length, word)
      )`);
    // Two words that differ by one edit have the same beginning or end; by two edits, the same beginning, middle or end (near-words.ts).
    await queryRunner.query(
      `CREATE INDEX search_words_ends ON search_words (tenant_id, content_type_id, length, reverse(word))`,
    );
    await queryRunner.query(
      `CREATE INDEX search_words_middles ON search_words (tenant_id, content_type_id, length, substr(word, (((length - 2) / 3) + 2), ((length - (((length - 2) / 3) * 2)) - 2))) WHERE length >= 6`,
    );

    await queryRunner.query(`
      CREATE TABLE entry_counts (
        tenant_id text COLLATE "C" NOT NULL,
        content_type_id uuid NOT NULL,
        shard smallint NOT NULL,
        drafts bigint NOT NULL,
        published bigint NOT NULL,
        state bigint NOT NULL DEFAULT 0,
        PRIMARY KEY (tenant_id, content_type_id, shard)
      )
      WITH (fillfactor = 50)`);

    await queryRunner.query(`
      CREATE TABLE entry_drafts (
        tenant_id text COLLATE "C" NOT NULL,
        content_type_id uuid NOT NULL,
        entry_id uuid NOT NULL,
        number integer NOT NULL,
        links integer NOT NULL,
        fields json,
        bases json,
        size integer,
        base_version integer,
        created_at timestamptz(3),
        updated_at timestamptz(3),
        unapproved integer,
        review_by text,
        review_member uuid,
        review_at timestamptz(3),
        review_note text,
        saved_by text COLLATE "C",
        saved_at timestamptz(3),
        PRIMARY KEY (tenant_id, content_type_id, entry_id)
      )`);
    // The primary key also has the rows without a draft.
    await queryRunner.query(
      `CREATE INDEX entry_drafts_changed ON entry_drafts (tenant_id, updated_at, entry_id) WHERE fields IS NOT NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX entry_drafts_of_type ON entry_drafts (tenant_id, content_type_id, entry_id) WHERE fields IS NOT NULL`,
    );

    await queryRunner.query(
      `CREATE INDEX entry_drafts_waiting ON entry_drafts (tenant_id, review_at, entry_id) WHERE review_at IS NOT NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX entry_drafts_saved ON entry_drafts (tenant_id, saved_by, saved_at, entry_id) WHERE saved_by IS NOT NULL`,
    );

    await queryRunner.query(`
      CREATE TABLE entry_schedules (
        tenant_id text COLLATE "C" NOT NULL,
        entry_id uuid NOT NULL,
        content_type_id uuid NOT NULL,
        publish_at timestamptz(3),
        unpublish_at timestamptz(3),
        problem json,
        entry_version integer NOT NULL DEFAULT 0,
        draft_number integer NOT NULL DEFAULT 0,
        PRIMARY KEY (tenant_id, entry_id)
      )`);
    // least() leaves out nulls: the earliest remaining time.
    await queryRunner.query(
      `CREATE INDEX entry_schedules_next ON entry_schedules (tenant_id, least(publish_at, unpublish_at), entry_id)`,
    );
    await queryRunner.query(`CREATE INDEX entry_schedules_of_type ON entry_schedules (tenant_id, content_type_id)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of [
      'entry_schedules',
      'entry_drafts',
      'entry_counts',
      'search_words',
      'entry_words',
      'entry_values',
      'entry_uniques',
      'entries',
      'schema_changes',
      'content_type_moves',
      'content_types',
    ]) {
      await queryRunner.query(`DROP TABLE ${table}`);
    }
  }
}
