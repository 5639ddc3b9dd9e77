import { MigrationInterface, QueryRunner } from 'typeorm';

/** Times at which entries are published and unpublished. */
export class Schedules1763000091000 implements MigrationInterface {
  name = 'Schedules1763000091000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE entry_schedules (
        tenant_id text COLLATE "C" NOT NULL,
        entry_id uuid NOT NULL,
        content_type_id uuid NOT NULL,
        publish_at timestamptz(3),
        unpublish_at timestamptz(3),
        problem json,
        PRIMARY KEY (tenant_id, entry_id)
      )`);
    // least() leaves out nulls: the earliest remaining time.
    await queryRunner.query(
      `CREATE INDEX entry_schedules_next ON entry_schedules (tenant_id, (least(publish_at, unpublish_at)), entry_id)`,
    );
    await queryRunner.query(`CREATE INDEX entry_schedules_of_type ON entry_schedules (tenant_id, content_type_id)`);
    await queryRunner.query(`ALTER TABLE entries ADD COLUMN schedules integer`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE entries DROP COLUMN schedules`);
    await queryRunner.query(`DROP TABLE entry_schedules`);
    // Nothing is left to carry out.
    await queryRunner.query(`DELETE FROM due_work WHERE kind = 'schedule'`);
  }
}
