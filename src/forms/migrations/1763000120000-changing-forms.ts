import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Forms that change, with settings. Submissions know their event, what spam checks said, and what the people who read them noted. */
export class ChangingForms1763000120000 implements MigrationInterface {
  name = 'ChangingForms1763000120000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE forms
        ADD COLUMN settings json,
        ADD COLUMN version integer NOT NULL DEFAULT 1,
        ADD COLUMN index_names json,
        ADD COLUMN former json,
        ADD COLUMN reindexing json
    `);
    await queryRunner.query(`
      ALTER TABLE submissions
        ADD COLUMN event_id uuid,
        ADD COLUMN addresses uuid[],
        ADD COLUMN digest uuid,
        ADD COLUMN origin text,
        ADD COLUMN locale text,
        ADD COLUMN verdict text,
        ADD COLUMN reasons text[],
        ADD COLUMN state text,
        ADD COLUMN note text
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE submissions
        DROP COLUMN note, DROP COLUMN state, DROP COLUMN reasons, DROP COLUMN verdict, DROP COLUMN locale, DROP COLUMN origin,
        DROP COLUMN digest, DROP COLUMN addresses, DROP COLUMN event_id
    `);
    await queryRunner.query(`
      ALTER TABLE forms
        DROP COLUMN reindexing, DROP COLUMN former, DROP COLUMN index_names, DROP COLUMN version, DROP COLUMN settings
    `);
  }
}
