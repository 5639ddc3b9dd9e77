import { MigrationInterface, QueryRunner } from 'typeorm';

/** Versions of resources, to which events refer instead of holding data of their own. Events from before keep their data. */
export class Versions1763000060000 implements MigrationInterface {
  name = 'Versions1763000060000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE versions (
        tenant_id text COLLATE "C" NOT NULL,
        resource_id uuid NOT NULL,
        number integer NOT NULL,
        summary text NOT NULL,
        data text NOT NULL,
        at timestamptz(3) NOT NULL,
        event_id uuid,
        PRIMARY KEY (tenant_id, resource_id, number)
      )`);
    await queryRunner.query(
      `ALTER TABLE events ALTER COLUMN data DROP NOT NULL, ADD COLUMN resource_id uuid, ADD COLUMN version integer`,
    );
  }

  /** Events get their data back. The history is lost. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`SET LOCAL statement_timeout = 0`);
    await queryRunner.query(`
      UPDATE events e SET data = v.data::json FROM versions v
      WHERE e.data IS NULL AND v.tenant_id = e.tenant_id AND v.resource_id = e.resource_id AND v.number = e.version`);
    await queryRunner.query(
      `ALTER TABLE events ALTER COLUMN data SET NOT NULL, DROP COLUMN resource_id, DROP COLUMN version`,
    );
    await queryRunner.query(`DROP TABLE versions`);
  }
}
