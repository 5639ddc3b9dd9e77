import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The bytes of an entry's and a submission's JSON, by which a list tells large ones without reading them. Rows that are there keep null
 * until they are written again: filling it in would rewrite tables of any size while the service starts.
 */
export class JsonSizes1763000015000 implements MigrationInterface {
  name = 'JsonSizes1763000015000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE entries ADD COLUMN size integer`);
    await queryRunner.query(`ALTER TABLE submissions ADD COLUMN size integer`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE submissions DROP COLUMN size`);
    await queryRunner.query(`ALTER TABLE entries DROP COLUMN size`);
  }
}
