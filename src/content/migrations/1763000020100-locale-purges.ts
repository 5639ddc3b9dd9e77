import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The deletions of the values of removed locales. */
export class LocalePurges1763000020100 implements MigrationInterface {
  name = 'LocalePurges1763000020100';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE locale_purges (
        tenant_id text COLLATE "C" NOT NULL REFERENCES tenants (id),
        id uuid NOT NULL,
        code text NOT NULL,
        phase text NOT NULL,
        type_id uuid NOT NULL,
        after uuid NOT NULL,
        after_number integer NOT NULL,
        entries integer NOT NULL,
        drafts integer NOT NULL,
        versions integer NOT NULL,
        created_at timestamptz(3) NOT NULL,
        finished_at timestamptz(3),
        PRIMARY KEY (tenant_id, id)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE locale_purges');
  }
}
