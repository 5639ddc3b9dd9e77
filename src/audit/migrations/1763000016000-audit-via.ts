import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Records say through which program of the service a change was made. A column without a default is added without rewriting the table. */
export class AuditVia1763000016000 implements MigrationInterface {
  name = 'AuditVia1763000016000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE audit_records ADD COLUMN via text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE audit_records DROP COLUMN via');
  }
}
