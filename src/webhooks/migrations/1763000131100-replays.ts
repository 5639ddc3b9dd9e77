import { MigrationInterface, QueryRunner } from 'typeorm';

/** Replays, which send events of the past again. */
export class Replays1763000131100 implements MigrationInterface {
  name = 'Replays1763000131100';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE deliveries ADD COLUMN replay_of uuid`);
    // Empty at first, so this takes no longer than reading the table once.
    await queryRunner.query(`
      CREATE INDEX deliveries_replayed ON deliveries (tenant_id, webhook_id, replay_of)
      WHERE status = 'pending' AND replay_of IS NOT NULL`);
    await queryRunner.query(`
      CREATE TABLE webhook_replays (
        tenant_id text COLLATE "C" NOT NULL,
        id uuid NOT NULL,
        webhook_id uuid NOT NULL,
        types text[] NOT NULL,
        filters json,
        since timestamptz(3) NOT NULL,
        until timestamptz(3) NOT NULL,
        after_id uuid NOT NULL,
        remaining integer NOT NULL,
        PRIMARY KEY (tenant_id, id)
      ) WITH (fillfactor = 50)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE webhook_replays`);
    // Two deliveries of one event would not fit the tables from before.
    await queryRunner.query(`DELETE FROM deliveries WHERE replay_of IS NOT NULL`);
    await queryRunner.query(`ALTER TABLE deliveries DROP COLUMN replay_of`);
  }
}
