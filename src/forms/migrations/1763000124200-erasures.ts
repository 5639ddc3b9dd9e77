import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Erasures of the submissions with an address. */
export class Erasures1763000124200 implements MigrationInterface {
  name = 'Erasures1763000124200';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE erasures (
        tenant_id text COLLATE "C" NOT NULL,
        id uuid NOT NULL,
        address uuid,
        form_id uuid NOT NULL,
        after uuid NOT NULL,
        late boolean NOT NULL,
        submissions integer NOT NULL,
        files integer NOT NULL,
        mails integer NOT NULL,
        deliveries integer NOT NULL,
        requested_at timestamptz(3) NOT NULL,
        done_at timestamptz(3),
        PRIMARY KEY (tenant_id, id)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE erasures`);
    await queryRunner.query(`DELETE FROM due_work WHERE kind = 'erasure'`);
  }
}
