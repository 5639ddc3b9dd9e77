import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Statements use the index by submission only if they say so (see `BY_SUBMISSION`). */
export class SubmissionValuesOf1763000152100 implements MigrationInterface {
  name = 'SubmissionValuesOf1763000152100';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX submission_values_of`);
    await queryRunner.query(
      `CREATE INDEX submission_values_of ON submission_values (tenant_id, form_id, submission_id, field) WHERE discriminator >= ''`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX submission_values_of`);
    await queryRunner.query(
      `CREATE INDEX submission_values_of ON submission_values (tenant_id, form_id, submission_id, field)`,
    );
  }
}
