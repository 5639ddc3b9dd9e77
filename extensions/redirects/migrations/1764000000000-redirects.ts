import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Redirects1764000000000 implements MigrationInterface {
  name = 'Redirects1764000000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE redirects (
        tenant_id text COLLATE "C" NOT NULL REFERENCES tenants (id),
        id uuid NOT NULL,
        source text COLLATE "C" NOT NULL,
        target text COLLATE "C" NOT NULL,
        status smallint NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        PRIMARY KEY (tenant_id, id),
        CONSTRAINT redirects_source UNIQUE (tenant_id, source)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE redirects`);
  }
}
