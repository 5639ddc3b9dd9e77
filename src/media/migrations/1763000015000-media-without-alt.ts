import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Files without alternative text are found among many that have one. */
export class MediaWithoutAlt1763000015000 implements MigrationInterface {
  name = 'MediaWithoutAlt1763000015000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE INDEX media_without_alt ON media (tenant_id, id) WHERE alt = ''`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX media_without_alt');
  }
}
