import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What equal submissions wait for. Half of each page is free, so that updates stay within the page. */
export class DigestSlots1763000151000 implements MigrationInterface {
  name = 'DigestSlots1763000151000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE digest_slots (
        tenant_id text COLLATE "C" NOT NULL,
        form_id uuid NOT NULL,
        slot smallint NOT NULL,
        changes bigint NOT NULL,
        PRIMARY KEY (tenant_id, form_id, slot)
      ) WITH (fillfactor = 50)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE digest_slots`);
  }
}
