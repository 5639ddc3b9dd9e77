import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Submissions of forms with `store: false`. Existing rows are in neither index; creating each reads the table once. */
export class UnstoredSubmissions1763000141000 implements MigrationInterface {
  name = 'UnstoredSubmissions1763000141000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE submissions ADD COLUMN unstored boolean`);
    await queryRunner.query(`
      CREATE INDEX submissions_unstored ON submissions (tenant_id, form_id, id) WHERE unstored AND verdict IS NULL`);
    await queryRunner.query(`
      CREATE INDEX submissions_unstored_spam ON submissions (tenant_id, form_id, id) WHERE unstored AND verdict IS NOT NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DELETE FROM due_work WHERE kind = 'unstored_submissions'`);
    await queryRunner.query(`ALTER TABLE submissions DROP COLUMN unstored`);
  }
}
