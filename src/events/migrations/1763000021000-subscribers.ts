import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Subscribers with positions of their own in the feed. A position changes with every batch and no index contains it (a HOT update, for
 * which half of each page is left free).
 */
export class Subscribers1763000021000 implements MigrationInterface {
  name = 'Subscribers1763000021000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE subscribers (
        name text COLLATE "C" NOT NULL,
        id uuid NOT NULL,
        starts_from text COLLATE "C" NOT NULL,
        created_at timestamptz(3) NOT NULL,
        registered_at timestamptz(3),
        seen_at timestamptz(3),
        PRIMARY KEY (name)
      )`);
    await queryRunner.query(`
      CREATE TABLE subscriber_positions (
        tenant_id text COLLATE "C" NOT NULL,
        subscriber_id uuid NOT NULL,
        position bigint NOT NULL,
        PRIMARY KEY (tenant_id, subscriber_id)
      ) WITH (fillfactor = 50)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE subscriber_positions`);
    await queryRunner.query(`DROP TABLE subscribers`);
  }
}
