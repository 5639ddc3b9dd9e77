import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The audit log. Each index has the records of a filter in the order of the list. */
export class Audit1763000008000 implements MigrationInterface {
  name = 'Audit1763000008000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE audit_records (
        tenant_id text COLLATE "C" NOT NULL,
        id uuid NOT NULL,
        actor_id text COLLATE "C" NOT NULL,
        actor_name text NOT NULL,
        action text COLLATE "C" NOT NULL,
        resource_type text COLLATE "C" NOT NULL,
        resource_id text COLLATE "C" NOT NULL,
        changes text,
        request_id text NOT NULL,
        ip text,
        PRIMARY KEY (tenant_id, id)
      )`);
    await queryRunner.query(`CREATE INDEX audit_records_actors ON audit_records (tenant_id, actor_id, id)`);
    await queryRunner.query(`CREATE INDEX audit_records_actions ON audit_records (tenant_id, action, id)`);
    await queryRunner.query(`CREATE INDEX audit_records_resources ON audit_records (tenant_id, resource_id, id)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE audit_records`);
  }
}
