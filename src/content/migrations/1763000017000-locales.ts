import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The locales of a tenant, and those in which the entries of a content type are stored. */
export class Locales1763000017000 implements MigrationInterface {
  name = 'Locales1763000017000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE tenant_locales (
        tenant_id text COLLATE "C" NOT NULL REFERENCES tenants (id),
        settings json NOT NULL,
        revision integer NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        PRIMARY KEY (tenant_id)
      )`);
    await queryRunner.query('ALTER TABLE content_types ADD COLUMN locales json');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE content_types DROP COLUMN locales');
    await queryRunner.query('DROP TABLE tenant_locales');
  }
}
