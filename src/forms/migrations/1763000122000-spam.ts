import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Spam is kept apart: in indexes of its own, in counters of its own, and in sections of its own in the index by field. */
export class Spam1763000122000 implements MigrationInterface {
  name = 'Spam1763000122000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE INDEX submissions_ok ON submissions (tenant_id, form_id, id) WHERE verdict IS NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX submissions_spam ON submissions (tenant_id, form_id, id) WHERE verdict IS NOT NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX submissions_digest ON submissions (tenant_id, form_id, digest, id) WHERE digest IS NOT NULL`,
    );
    await queryRunner.query(`ALTER TABLE submission_counts ADD COLUMN spam bigint NOT NULL DEFAULT 0`);
    await queryRunner.query(`
      CREATE TABLE challenge_solutions (
        tenant_id text COLLATE "C" NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        id uuid NOT NULL,
        PRIMARY KEY (tenant_id, expires_at, id)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE challenge_solutions`);
    await queryRunner.query(`ALTER TABLE submission_counts DROP COLUMN spam`);
    for (const index of ['digest', 'spam', 'ok']) await queryRunner.query(`DROP INDEX submissions_${index}`);
  }
}
