import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Digests of notification mails: `mail_hours` counts the submissions of each form and recipient within an hour, and `digest_id` names
 * the mail that lists a submission. A mail whose `digest_id` is its own `submission_id` is such a digest. The index
 * excludes existing rows.
 */
export class MailDigests1763000013000 implements MigrationInterface {
  name = 'MailDigests1763000013000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE mail_hours (
        tenant_id text COLLATE "C" NOT NULL,
        form_id uuid NOT NULL,
        recipient text NOT NULL,
        began_at timestamptz(3) NOT NULL,
        submissions integer NOT NULL,
        gathers boolean NOT NULL,
        digest_id uuid,
        PRIMARY KEY (tenant_id, form_id, recipient)
      ) WITH (fillfactor = 50)`);
    await queryRunner.query(`ALTER TABLE mails ADD COLUMN digest_id uuid`);
    await queryRunner.query(`
      CREATE INDEX mails_digest ON mails (tenant_id, digest_id, submission_id) WHERE digest_id IS NOT NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    // Without the column these submissions would have no email. Make them pending again.
    await queryRunner.query(`
      UPDATE mails m SET status = 'pending', next_attempt_at = now() FROM mails d
      WHERE m.status = 'gathered' AND d.tenant_id = m.tenant_id AND d.submission_id = m.digest_id AND d.status = 'pending'`);
    await queryRunner.query(`UPDATE mails SET status = 'sent', finished_at = now() WHERE status = 'gathered'`);
    await queryRunner.query(`ALTER TABLE mails DROP COLUMN digest_id`);
    await queryRunner.query(`DROP TABLE mail_hours`);
  }
}
