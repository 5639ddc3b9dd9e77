import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The words of entries in locales. */
export class LocaleWords1763000018000 implements MigrationInterface {
  name = 'LocaleWords1763000018000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE entry_locale_words (
        tenant_id text COLLATE "C" NOT NULL,
        content_type_id uuid NOT NULL,
        entry_id uuid NOT NULL,
        document text COLLATE "C" NOT NULL,
        views text[] COLLATE "C" NOT NULL,
        words tsvector NOT NULL,
        gaps smallint NOT NULL DEFAULT 0,
        sequence text,
        PRIMARY KEY (tenant_id, content_type_id, entry_id, document)
      )
      WITH (toast_tuple_target = 128, autovacuum_analyze_scale_factor = 0.02)`);
    // As in `entry_words`. Every search reads the views of the rows that it finds, so these stay in the row.
    await queryRunner.query(
      `ALTER TABLE entry_locale_words ALTER words SET STORAGE EXTERNAL, ALTER views SET STORAGE MAIN`,
    );
    await queryRunner.query(
      `CREATE INDEX entry_locale_words_search ON entry_locale_words USING gin (words) WITH (gin_pending_list_limit = 4096)`,
    );
    await queryRunner.query(
      `CREATE STATISTICS entry_locale_words_of_tenant (ndistinct, dependencies) ON tenant_id, content_type_id FROM entry_locale_words`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE entry_locale_words');
  }
}
