import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Work that is due at a time. */
export class ScheduledJobs1763000009000 implements MigrationInterface {
  name = 'ScheduledJobs1763000009000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE scheduled_jobs (
        tenant_id text COLLATE "C" NOT NULL,
        kind text COLLATE "C" NOT NULL,
        key uuid NOT NULL,
        due_at timestamptz(3) NOT NULL,
        next_at timestamptz(3) NOT NULL,
        claim uuid,
        attempts integer NOT NULL,
        PRIMARY KEY (tenant_id, kind, key)
      )
      WITH (fillfactor = 75, autovacuum_vacuum_scale_factor = 0.02)`);
    await queryRunner.query(`CREATE INDEX scheduled_jobs_next ON scheduled_jobs (tenant_id, kind, next_at)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE scheduled_jobs`);
  }
}
