import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createWorkTable } from '../../../src/database/work-table.js';

export class CrmJobs1800000000000 implements MigrationInterface {
  name = 'CrmJobs1800000000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of createWorkTable('crm_jobs')) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE crm_jobs');
  }
}
