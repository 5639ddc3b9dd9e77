import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Content types whose entries references with `on_delete` may lead to. */
export class GuardedTypes1763000108000 implements MigrationInterface {
  name = 'GuardedTypes1763000108000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE content_types ADD COLUMN guarded boolean`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE content_types DROP COLUMN guarded`);
  }
}
