import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The bytes of an entry's and a submission's JSON, by which lists detect large ones. Existing rows keep null until they are written again:
 * filling in the column would rewrite tables of any size during the start.
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
