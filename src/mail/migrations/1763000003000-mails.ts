import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Notification mails: one for each submission to a form that has an address to notify, which is what the primary key says. No foreign
 * key to forms or submissions, so that neither waits for a mail. A claim changes no indexed column (a HOT update).
 */
export class Mails1763000003000 implements MigrationInterface {
  name = 'Mails1763000003000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE mails (
        tenant_id text COLLATE "C" NOT NULL,
        submission_id uuid NOT NULL,
        form_id uuid NOT NULL,
        recipient text NOT NULL,
        status text COLLATE "C" NOT NULL,
        attempts integer NOT NULL,
        next_attempt_at timestamptz(3),
        claimed_until timestamptz(3),
        last_error text,
        created_at timestamptz(3) NOT NULL,
        finished_at timestamptz(3),
        PRIMARY KEY (tenant_id, submission_id)
      ) WITH (fillfactor = 75, autovacuum_vacuum_scale_factor = 0.02)`);
    await queryRunner.query(`
      CREATE INDEX mails_due ON mails (tenant_id, next_attempt_at) WHERE status = 'pending'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE mails`);
  }
}
