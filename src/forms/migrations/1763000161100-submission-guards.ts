import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What submissions prove about the time that the visitor needed. Existing rows are not in the index; creating it reads the table once. */
export class SubmissionGuards1763000161100 implements MigrationInterface {
  name = 'SubmissionGuards1763000161100';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE submissions ADD COLUMN untimed boolean, ADD COLUMN guarded boolean`);
    await queryRunner.query(`CREATE INDEX submissions_untimed ON submissions (tenant_id, form_id, id) WHERE untimed`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE submissions DROP COLUMN untimed, DROP COLUMN guarded`);
  }
}
