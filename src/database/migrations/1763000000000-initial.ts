import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The tables of tenants, content, forms, webhooks and events.
 *
 * `tenant_id` leads every key and index. Text that is compared by machines is COLLATE "C". `entries` and `submissions` have no
 * foreign key to their parent. The statement that writes an entry locks the parent's row itself, because it needs its version, so a
 * constraint would check the same thing twice. Forms are never deleted, and a lock on their row would block every submission.
 */
export class Initial1763000000000 implements MigrationInterface {
  name = 'Initial1763000000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE tenants (
        id text COLLATE "C" PRIMARY KEY,
        name text NOT NULL,
        created_at timestamptz(3) NOT NULL
      )`);

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
        PRIMARY KEY (tenant_id, id),
        CONSTRAINT content_types_slug UNIQUE (tenant_id, slug)
      )`);

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
        PRIMARY KEY (tenant_id, content_type_id, id)
      )`);
    // Only the primary key has the ID after the type for all entries. Without statistics about a tenant's rows, the planner would
    // rate every index that could find an entry as equally good.
    for (const status of ['draft', 'published']) {
      await queryRunner.query(
        `CREATE INDEX entries_${status} ON entries (tenant_id, content_type_id, id) WHERE status = '${status}'`,
      );
    }
    await queryRunner.query(`CREATE INDEX entries_updated ON entries (tenant_id, content_type_id, updated_at)`);

    // The words have their own table, so that changing a number does not rewrite their index, and counting matches reads narrow rows.
    // Their lexemes begin with the content type (see src/search/words.ts).
    await queryRunner.query(`
      CREATE TABLE entry_words (
        tenant_id text COLLATE "C" NOT NULL,
        content_type_id uuid NOT NULL,
        entry_id uuid NOT NULL,
        words tsvector NOT NULL,
        PRIMARY KEY (tenant_id, content_type_id, entry_id)
      ) WITH (toast_tuple_target = 128)`);
    await queryRunner.query(`ALTER TABLE entry_words ALTER words SET STORAGE EXTERNAL`);
    // Every search reads the pending list. The default of 4 MB makes searches slow during many writes; no pending list doubles the cost
    // of a write.
    await queryRunner.query(
      `CREATE INDEX entry_words_search ON entry_words USING gin (words) WITH (gin_pending_list_limit = 1024)`,
    );

    await queryRunner.query(`
      CREATE TABLE entry_values (
        tenant_id text COLLATE "C" NOT NULL,
        content_type_id uuid NOT NULL,
        field text COLLATE "C" NOT NULL,
        sort_key text COLLATE "C" NOT NULL,
        mark text COLLATE "C" NOT NULL,
        entry_id uuid NOT NULL,
        PRIMARY KEY (tenant_id, content_type_id, entry_id, field, sort_key, mark)
      )`);
    await queryRunner.query(
      `CREATE INDEX entry_values_order ON entry_values (tenant_id, content_type_id, field, sort_key, entry_id) INCLUDE (mark)`,
    );
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
      CREATE TABLE entry_counts (
        tenant_id text COLLATE "C" NOT NULL,
        content_type_id uuid NOT NULL,
        slot smallint NOT NULL,
        drafts bigint NOT NULL,
        published bigint NOT NULL,
        PRIMARY KEY (tenant_id, content_type_id, slot)
      ) WITH (fillfactor = 50)`);

    await queryRunner.query(`
      CREATE TABLE forms (
        tenant_id text COLLATE "C" NOT NULL REFERENCES tenants (id),
        id uuid NOT NULL,
        name text NOT NULL,
        slug text COLLATE "C" NOT NULL,
        fields json NOT NULL,
        notify_email text,
        created_at timestamptz(3) NOT NULL,
        PRIMARY KEY (tenant_id, id),
        CONSTRAINT forms_slug UNIQUE (tenant_id, slug)
      )`);
    await queryRunner.query(`
      CREATE TABLE submissions (
        tenant_id text COLLATE "C" NOT NULL,
        form_id uuid NOT NULL,
        id uuid NOT NULL,
        fields json NOT NULL,
        created_at timestamptz(3) NOT NULL,
        PRIMARY KEY (tenant_id, form_id, id)
      )`);
    await queryRunner.query(`
      CREATE TABLE submission_values (
        tenant_id text COLLATE "C" NOT NULL,
        form_id uuid NOT NULL,
        field text COLLATE "C" NOT NULL,
        sort_key text COLLATE "C" NOT NULL,
        submission_id uuid NOT NULL,
        PRIMARY KEY (tenant_id, form_id, field, sort_key, submission_id)
      )`);
    await queryRunner.query(`
      CREATE TABLE submission_counts (
        tenant_id text COLLATE "C" NOT NULL,
        form_id uuid NOT NULL,
        slot smallint NOT NULL,
        submissions bigint NOT NULL,
        PRIMARY KEY (tenant_id, form_id, slot)
      ) WITH (fillfactor = 50)`);

    await queryRunner.query(`
      CREATE TABLE webhooks (
        tenant_id text COLLATE "C" NOT NULL REFERENCES tenants (id),
        id uuid NOT NULL,
        url text NOT NULL,
        events text[] COLLATE "C" NOT NULL,
        secret text,
        active boolean NOT NULL,
        created_at timestamptz(3) NOT NULL,
        PRIMARY KEY (tenant_id, id)
      )`);

    await queryRunner.query(`
      CREATE TABLE events (
        tenant_id text COLLATE "C" NOT NULL,
        id uuid NOT NULL,
        type text COLLATE "C" NOT NULL,
        data json NOT NULL,
        occurred_at timestamptz(3) NOT NULL,
        committed_in xid8 NOT NULL DEFAULT pg_current_xact_id(),
        PRIMARY KEY (tenant_id, id)
      )`);
    await queryRunner.query(`CREATE INDEX events_feed ON events (tenant_id, committed_in, id)`);
    await queryRunner.query(`
      CREATE TABLE pending_events (
        tenant_id text COLLATE "C" NOT NULL,
        event_id uuid NOT NULL,
        PRIMARY KEY (tenant_id, event_id)
      )`);

    // A content type or form belongs to one tenant. A planner that multiplied their selectivities would expect no rows.
    for (const [table, columns] of [
      ['entries', 'tenant_id, content_type_id'],
      ['entry_words', 'tenant_id, content_type_id'],
      ['entry_values', 'tenant_id, content_type_id, field'],
      ['submissions', 'tenant_id, form_id'],
      ['submission_values', 'tenant_id, form_id, field'],
    ]) {
      await queryRunner.query(
        `CREATE STATISTICS ${table}_of_tenant (ndistinct, dependencies) ON ${columns} FROM ${table}`,
      );
      await queryRunner.query(`ALTER TABLE ${table} SET (autovacuum_analyze_scale_factor = 0.02)`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of [
      'pending_events',
      'events',
      'webhooks',
      'submission_counts',
      'submission_values',
      'submissions',
      'forms',
      'entry_counts',
      'entry_uniques',
      'entry_values',
      'entry_words',
      'entries',
      'content_types',
      'tenants',
    ]) {
      await queryRunner.query(`DROP TABLE ${table}`);
    }
  }
}
