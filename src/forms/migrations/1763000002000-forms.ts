import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Forms, their submissions, and what is derived from these. Submissions have no foreign key to their form: a lock on its row would block every
 * submission. Spam is kept apart: in indexes and counters of its own.
 */
export class Forms1763000002000 implements MigrationInterface {
  name = 'Forms1763000002000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE forms (
        tenant_id text COLLATE "C" NOT NULL REFERENCES tenants (id),
        id uuid NOT NULL,
        name text NOT NULL,
        slug text COLLATE "C" NOT NULL,
        fields json NOT NULL,
        notify_email text,
        created_at timestamptz(3) NOT NULL,
        settings json,
        version integer NOT NULL DEFAULT 1,
        index_names json,
        former json,
        reindexing json,
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
        size integer,
        event_id uuid,
        addresses uuid[],
        digest uuid,
        origin text,
        locale text,
        verdict text,
        reasons text[],
        state text,
        note text,
        unstored boolean,
        untimed boolean,
        guarded boolean,
        PRIMARY KEY (tenant_id, form_id, id)
      )
      WITH (autovacuum_analyze_scale_factor = 0.02)`);
    await queryRunner.query(
      `CREATE INDEX submissions_ok ON submissions (tenant_id, form_id, id) WHERE verdict IS NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX submissions_spam ON submissions (tenant_id, form_id, id) WHERE verdict IS NOT NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX submissions_digest ON submissions (tenant_id, form_id, digest, id) WHERE digest IS NOT NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX submissions_new ON submissions (tenant_id, form_id, id) WHERE verdict IS NULL AND state IS NULL`,
    );
    // Those that are marked, which are few beside the new ones.
    await queryRunner.query(
      `CREATE INDEX submissions_handled ON submissions (tenant_id, form_id, state, id) WHERE verdict IS NULL AND state IS NOT NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX submissions_handled_spam ON submissions (tenant_id, form_id, state, id) WHERE verdict IS NOT NULL AND state IS NOT NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX submissions_unstored ON submissions (tenant_id, form_id, id) WHERE unstored AND verdict IS NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX submissions_unstored_spam ON submissions (tenant_id, form_id, id) WHERE unstored AND verdict IS NOT NULL`,
    );
    await queryRunner.query(`CREATE INDEX submissions_untimed ON submissions (tenant_id, form_id, id) WHERE untimed`);
    // A form belongs to one tenant. A planner that multiplied their selectivities would expect no rows. So it is below.
    await queryRunner.query(
      `CREATE STATISTICS submissions_of_tenant (ndistinct, dependencies) ON tenant_id, form_id FROM submissions`,
    );

    await queryRunner.query(`
      CREATE TABLE submission_values (
        tenant_id text COLLATE "C" NOT NULL,
        form_id uuid NOT NULL,
        field text COLLATE "C" NOT NULL,
        sort_key text COLLATE "C" NOT NULL,
        submission_id uuid NOT NULL,
        discriminator text COLLATE "C" NOT NULL DEFAULT '?',
        PRIMARY KEY (tenant_id, form_id, field, sort_key, submission_id)
      )
      WITH (autovacuum_analyze_scale_factor = 0.02)`);
    // Finds the rows of a submission. Statements use it only if they say so (see `BY_SUBMISSION`).
    await queryRunner.query(
      `CREATE INDEX submission_values_of ON submission_values (tenant_id, form_id, submission_id, field) WHERE discriminator >= ''`,
    );
    await queryRunner.query(
      `CREATE STATISTICS submission_values_of_tenant (ndistinct, dependencies) ON tenant_id, form_id, field FROM submission_values`,
    );

    await queryRunner.query(`
      CREATE TABLE submission_words (
        tenant_id text COLLATE "C" NOT NULL,
        form_id uuid NOT NULL,
        submission_id uuid NOT NULL,
        words tsvector NOT NULL,
        gaps smallint NOT NULL,
        sequence text,
        PRIMARY KEY (tenant_id, form_id, submission_id)
      )
      WITH (toast_tuple_target = 128)`);
    await queryRunner.query(`ALTER TABLE submission_words ALTER words SET STORAGE EXTERNAL`);
    // Submissions are indexed in batches. The index collects their words in a list and sorts them in together, which takes half the time.
    // Every search reads the list, so it is short.
    await queryRunner.query(
      `CREATE INDEX submission_words_search ON submission_words USING gin (words) WITH (fastupdate = on, gin_pending_list_limit = 256)`,
    );
    await queryRunner.query(
      `CREATE STATISTICS submission_words_of_tenant (ndistinct, dependencies) ON tenant_id, form_id FROM submission_words`,
    );

    await queryRunner.query(`
      CREATE TABLE submission_word_marks (
        tenant_id text COLLATE "C" NOT NULL,
        form_id uuid NOT NULL,
        after uuid NOT NULL,
        PRIMARY KEY (tenant_id, form_id)
      )`);

    await queryRunner.query(`
      CREATE TABLE submission_counts (
        tenant_id text COLLATE "C" NOT NULL,
        form_id uuid NOT NULL,
        shard smallint NOT NULL,
        submissions bigint NOT NULL,
        spam bigint NOT NULL DEFAULT 0,
        state bigint NOT NULL DEFAULT 0,
        PRIMARY KEY (tenant_id, form_id, shard)
      )
      WITH (fillfactor = 50)`);

    await queryRunner.query(`
      CREATE TABLE deleted_submissions (
        tenant_id text COLLATE "C" NOT NULL,
        form_id uuid NOT NULL,
        day date NOT NULL,
        ok bigint NOT NULL,
        spam bigint NOT NULL,
        PRIMARY KEY (tenant_id, form_id, day)
      )`);

    await queryRunner.query(`
      CREATE TABLE submission_files (
        tenant_id text COLLATE "C" NOT NULL,
        id uuid NOT NULL,
        form_id uuid NOT NULL,
        submission_id uuid NOT NULL,
        field text COLLATE "C" NOT NULL,
        name text NOT NULL,
        mime_type text COLLATE "C" NOT NULL,
        size bigint NOT NULL,
        PRIMARY KEY (tenant_id, id)
      )`);
    await queryRunner.query(`CREATE INDEX submission_files_of ON submission_files (tenant_id, submission_id, id)`);

    await queryRunner.query(`
      CREATE TABLE challenge_solutions (
        tenant_id text COLLATE "C" NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        id uuid NOT NULL,
        PRIMARY KEY (tenant_id, expires_at, id)
      )`);

    // What equal submissions wait for. Half of each page is free, so that updates stay within the page.
    await queryRunner.query(`
      CREATE TABLE digest_slots (
        tenant_id text COLLATE "C" NOT NULL,
        form_id uuid NOT NULL,
        slot smallint NOT NULL,
        changes bigint NOT NULL,
        PRIMARY KEY (tenant_id, form_id, slot)
      )
      WITH (fillfactor = 50)`);

    await queryRunner.query(`
      CREATE TABLE erasures (
        tenant_id text COLLATE "C" NOT NULL,
        id uuid NOT NULL,
        address uuid,
        form_id uuid NOT NULL,
        after uuid NOT NULL,
        late boolean NOT NULL,
        submissions integer NOT NULL,
        files integer NOT NULL,
        mails integer NOT NULL,
        deliveries integer NOT NULL,
        requested_at timestamptz(3) NOT NULL,
        done_at timestamptz(3),
        PRIMARY KEY (tenant_id, id)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of [
      'erasures',
      'digest_slots',
      'challenge_solutions',
      'submission_files',
      'deleted_submissions',
      'submission_counts',
      'submission_word_marks',
      'submission_words',
      'submission_values',
      'submissions',
      'forms',
    ]) {
      await queryRunner.query(`DROP TABLE ${table}`);
    }
  }
}
