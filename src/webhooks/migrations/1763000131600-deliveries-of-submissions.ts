import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the deliveries of the events of submissions, to erase them. Other deliveries are not in the index; creating it reads the table once. */
export class DeliveriesOfSubmissions1763000131600 implements MigrationInterface {
  name = 'DeliveriesOfSubmissions1763000131600';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE INDEX deliveries_submitted ON deliveries (tenant_id, coalesce(replay_of, event_id)) WHERE event_type = 'form.submitted'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX deliveries_submitted`);
  }
}
