import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The tenants that were configured once. In every other table, `tenant_id` leads the keys and indexes, and text that machines compare is
 * COLLATE "C".
 */
export class Tenants1763000000000 implements MigrationInterface {
  name = 'Tenants1763000000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE tenants (
        id text COLLATE "C" NOT NULL,
        name text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        public_urls text[] NOT NULL DEFAULT '{}',
        PRIMARY KEY (id)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE tenants`);
  }
}
