import { MigrationInterface, QueryRunner } from 'typeorm';

/** Answers to requests with an `Idempotency-Key`. */
export class KeptAnswers1763000106000 implements MigrationInterface {
  name = 'KeptAnswers1763000106000';

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
        PRIMARY KEY (tenant_id, owner, key)
      )`);
    await queryRunner.query(`CREATE INDEX kept_answers_expiry ON kept_answers (tenant_id, expires_at)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE kept_answers`);
  }
}
