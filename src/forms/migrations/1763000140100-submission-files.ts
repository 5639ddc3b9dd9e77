import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Files of submissions. IDs are in the order in which the files were sent. */
export class SubmissionFiles1763000140100 implements MigrationInterface {
  name = 'SubmissionFiles1763000140100';

  async up(queryRunner: QueryRunner): Promise<void> {
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
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE submission_files`);
    await queryRunner.query(`DELETE FROM due_work WHERE kind = 'spam_files'`);
  }
}
