import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Responses to requests with an `Idempotency-Key`, kept for a day. */
export class Idempotency1763000010000 implements MigrationInterface {
  name = 'Idempotency1763000010000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE kept_answers (
        tenant_id text COLLATE "C" NOT NULL,
        owner text COLLATE "C" NOT NULL,
        key text COLLATE "C" NOT NULL,
        request bytea NOT NULL,
        status smallint NOT NULL,
        headers json NOT NULL,
        body text,
        location text,
        expires_at timestamptz(3) NOT NULL,
        resource uuid,
        PRIMARY KEY (tenant_id, owner, key)
      )`);
    await queryRunner.query(`CREATE INDEX kept_answers_expiry ON kept_answers (tenant_id, expires_at)`);
    await queryRunner.query(
      `CREATE INDEX kept_answers_resource ON kept_answers (tenant_id, resource) WHERE resource IS NOT NULL`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE kept_answers`);
  }
}
