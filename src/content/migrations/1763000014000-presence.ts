import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Who has an entry open. The table is not unlogged, because Citus could not move its shards then. Half of each page is free, so that updates stay
 * within the page.
 */
export class Presence1763000014000 implements MigrationInterface {
  name = 'Presence1763000014000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE entry_presence (
        tenant_id text COLLATE "C" NOT NULL,
        actor text COLLATE "C" NOT NULL,
        entry_id uuid NOT NULL,
        name text,
        since timestamptz(3) NOT NULL,
        seen_at timestamptz(3) NOT NULL,
        PRIMARY KEY (tenant_id, actor, entry_id)
      )
      WITH (fillfactor = 50)`);
    await queryRunner.query('CREATE INDEX entry_presence_of ON entry_presence (tenant_id, entry_id)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE entry_presence');
  }
}
