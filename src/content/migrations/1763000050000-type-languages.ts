import { MigrationInterface, QueryRunner } from 'typeorm';

/** Content types whose entries are also searched by the stems of words. */
export class TypeLanguages1763000050000 implements MigrationInterface {
  name = 'TypeLanguages1763000050000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE content_types ADD COLUMN language text`);
  }

  /** The lexemes of stems stay. They find nothing then. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE content_types DROP COLUMN language`);
  }
}
