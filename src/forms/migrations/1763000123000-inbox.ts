import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lists of submissions that are filtered and searched. A discriminator of `?` is not known. The indexes of states have only what was marked,
 * but for the new ones. `submission_values_of` finds the rows of a submission.
 */
export class Inbox1763000123000 implements MigrationInterface {
  name = 'Inbox1763000123000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE submission_values ADD COLUMN discriminator text COLLATE "C" NOT NULL DEFAULT '?'`,
    );
    for (const statement of INDEXES) await queryRunner.query(statement);
    await queryRunner.query(`
      CREATE TABLE submission_words (
        tenant_id text COLLATE "C" NOT NULL,
        form_id uuid NOT NULL,
        submission_id uuid NOT NULL,
        words tsvector NOT NULL,
        gaps smallint NOT NULL,
        sequence text,
        PRIMARY KEY (tenant_id, form_id, submission_id)
      ) WITH (toast_tuple_target = 128)`);
    await queryRunner.query(`ALTER TABLE submission_words ALTER words SET STORAGE EXTERNAL`);
    await queryRunner.query(
      `CREATE INDEX submission_words_search ON submission_words USING gin (words) WITH (fastupdate = off)`,
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
      CREATE TABLE deleted_submissions (
        tenant_id text COLLATE "C" NOT NULL,
        form_id uuid NOT NULL,
        day date NOT NULL,
        ok bigint NOT NULL,
        spam bigint NOT NULL,
        PRIMARY KEY (tenant_id, form_id, day)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['deleted_submissions', 'submission_word_marks', 'submission_words']) {
      await queryRunner.query(`DROP TABLE ${table}`);
    }
    for (const index of ['values_of', 'new', 'handled', 'handled_spam']) {
      await queryRunner.query(`DROP INDEX submission${index === 'values_of' ? '' : 's'}_${index}`);
    }
    await queryRunner.query(`ALTER TABLE submission_values DROP COLUMN discriminator`);
  }
}

const INDEXES = [
  `CREATE INDEX submission_values_of ON submission_values (tenant_id, form_id, submission_id, field)`,
  `CREATE INDEX submissions_new ON submissions (tenant_id, form_id, id) WHERE verdict IS NULL AND state IS NULL`,
  `CREATE INDEX submissions_handled ON submissions (tenant_id, form_id, state, id) WHERE verdict IS NULL AND state IS NOT NULL`,
  `CREATE INDEX submissions_handled_spam ON submissions (tenant_id, form_id, state, id) WHERE verdict IS NOT NULL AND state IS NOT NULL`,
];
