import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Emails about submissions, to tenants about their webhooks and to persons, and the limits of emails. No foreign key leads to forms or submissions, so that
 * neither waits for an email. A claim changes no indexed column (a HOT update).
 */
export class Mail1763000006000 implements MigrationInterface {
  name = 'Mail1763000006000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // The first email of a submission has the submission's ID as its key. Only the others name it in `about_id`.
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
        digest_id uuid,
        about_id uuid,
        subject text,
        field text,
        PRIMARY KEY (tenant_id, submission_id)
      )
      WITH (fillfactor = 75, autovacuum_vacuum_scale_factor = 0.02)`);
    await queryRunner.query(`CREATE INDEX mails_due ON mails (tenant_id, next_attempt_at) WHERE status = 'pending'`);
    await queryRunner.query(
      `CREATE INDEX mails_digest ON mails (tenant_id, digest_id, submission_id) WHERE digest_id IS NOT NULL`,
    );
    await queryRunner.query(`CREATE INDEX mails_failed ON mails (tenant_id, finished_at) WHERE status = 'failed'`);
    await queryRunner.query(`CREATE INDEX mails_about ON mails (tenant_id, about_id) WHERE about_id IS NOT NULL`);

    // The submissions of each form and recipient within an hour. `mails.digest_id` names the email that lists a submission; a digest is an
    // email whose `digest_id` is its own `submission_id`.
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
      )
      WITH (fillfactor = 50)`);

    await queryRunner.query(`
      CREATE TABLE mail_notices (
        tenant_id text COLLATE "C" NOT NULL,
        event_id uuid NOT NULL,
        status text COLLATE "C" NOT NULL,
        attempts integer NOT NULL,
        next_attempt_at timestamptz(3),
        claimed_until timestamptz(3),
        last_error text,
        created_at timestamptz(3) NOT NULL,
        finished_at timestamptz(3),
        PRIMARY KEY (tenant_id, event_id)
      )
      WITH (fillfactor = 75, autovacuum_vacuum_scale_factor = 0.02)`);
    await queryRunner.query(
      `CREATE INDEX mail_notices_due ON mail_notices (tenant_id, next_attempt_at) WHERE status = 'pending'`,
    );
    await queryRunner.query(
      `CREATE INDEX mail_notices_needed ON mail_notices (tenant_id, event_id) WHERE status = 'pending'`,
    );

    await queryRunner.query(`
      CREATE TABLE autoresponder_recipients (
        tenant_id text COLLATE "C" NOT NULL,
        address uuid NOT NULL,
        mail_id uuid NOT NULL,
        until timestamptz(3) NOT NULL,
        PRIMARY KEY (tenant_id, address)
      )`);
    await queryRunner.query(
      `CREATE INDEX autoresponder_recipients_until ON autoresponder_recipients (tenant_id, until)`,
    );

    await queryRunner.query(`
      CREATE TABLE address_hours (
        address uuid NOT NULL,
        until timestamptz(3) NOT NULL,
        sent integer NOT NULL,
        PRIMARY KEY (address)
      )`);
    await queryRunner.query(`CREATE INDEX address_hours_until ON address_hours (until)`);

    await queryRunner.query(`
      CREATE TABLE mail_days (
        tenant_id text COLLATE "C" NOT NULL,
        counter uuid NOT NULL,
        day date NOT NULL,
        mails integer NOT NULL,
        PRIMARY KEY (tenant_id, counter)
      )`);

    await queryRunner.query(`
      CREATE TABLE letters (
        tenant_id text COLLATE "C" NOT NULL,
        id uuid NOT NULL,
        kind text COLLATE "C" NOT NULL,
        recipient uuid,
        content text,
        status text COLLATE "C" NOT NULL,
        attempts integer NOT NULL,
        next_attempt_at timestamptz(3),
        claimed_until timestamptz(3),
        last_error text,
        created_at timestamptz(3) NOT NULL,
        finished_at timestamptz(3),
        PRIMARY KEY (tenant_id, id)
      )
      WITH (fillfactor = 75)`);
    await queryRunner.query(
      `CREATE INDEX letters_due ON letters (tenant_id, next_attempt_at) WHERE status = 'pending'`,
    );
    await queryRunner.query(
      `CREATE INDEX letters_recipient ON letters (tenant_id, recipient) WHERE status = 'pending'`,
    );
    await queryRunner.query(
      `CREATE INDEX letters_finished ON letters (tenant_id, finished_at) WHERE status <> 'pending'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of [
      'letters',
      'mail_days',
      'address_hours',
      'autoresponder_recipients',
      'mail_notices',
      'mail_hours',
      'mails',
    ]) {
      await queryRunner.query(`DROP TABLE ${table}`);
    }
  }
}
