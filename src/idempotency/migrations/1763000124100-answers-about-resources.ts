import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The resource that an answer shows, so that the answer can be erased with it. Answers are kept for a day, so the table is small. */
export class AnswersAboutResources1763000124100 implements MigrationInterface {
  name = 'AnswersAboutResources1763000124100';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE kept_answers ADD COLUMN resource uuid`);
    await queryRunner.query(`
      CREATE INDEX kept_answers_resource ON kept_answers (tenant_id, resource) WHERE resource IS NOT NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX kept_answers_resource`);
    await queryRunner.query(`ALTER TABLE kept_answers DROP COLUMN resource`);
  }
}
