import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The hour of an address belongs to a tenant. Over all tenants, an address has a number of emails an hour. */
export class AutoresponderRecipients1763000161700 implements MigrationInterface {
  name = 'AutoresponderRecipients1763000161700';

  async up(queryRunner: QueryRunner): Promise<void> {
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
    await queryRunner.query(`DELETE FROM autoresponder_hours`);
    await queryRunner.query(`ALTER TABLE autoresponder_hours DROP COLUMN mail_id, ADD COLUMN sent integer NOT NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DELETE FROM autoresponder_hours`);
    await queryRunner.query(`ALTER TABLE autoresponder_hours DROP COLUMN sent, ADD COLUMN mail_id uuid NOT NULL`);
    await queryRunner.query(`DROP TABLE autoresponder_recipients`);
  }
}
