import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The state of a form's submissions, by which lists know whether a counted total is still true. */
export class SubmissionStates1763000152000 implements MigrationInterface {
  name = 'SubmissionStates1763000152000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE submission_counts ADD COLUMN state bigint NOT NULL DEFAULT 0`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE submission_counts DROP COLUMN state`);
  }
}
