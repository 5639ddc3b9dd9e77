import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The limits of emails to visitors. */
export class Autoresponders1763000124600 implements MigrationInterface {
  name = 'Autoresponders1763000124600';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE autoresponder_hours (
        address uuid NOT NULL PRIMARY KEY,
        mail_id uuid NOT NULL,
        until timestamptz(3) NOT NULL
      )`);
    await queryRunner.query(`CREATE INDEX autoresponder_hours_until ON autoresponder_hours (until)`);
    await queryRunner.query(`
      CREATE TABLE autoresponder_days (
        tenant_id text COLLATE "C" NOT NULL,
        form_id uuid NOT NULL,
        day date NOT NULL,
        mails integer NOT NULL,
        PRIMARY KEY (tenant_id, form_id)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE autoresponder_days`);
    await queryRunner.query(`DROP TABLE autoresponder_hours`);
  }
}
