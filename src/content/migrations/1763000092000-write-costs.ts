import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Two settings that make writes of entries cheaper. The pending list may be longer again, because it is now emptied every second
 * (`SearchIndexUpkeep`). And a version of up to half a page stays in its row as it is, instead of being compressed or moved.
 */
export class WriteCosts1763000092000 implements MigrationInterface {
  name = 'WriteCosts1763000092000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER INDEX entry_words_search SET (gin_pending_list_limit = 1024)`);
    await queryRunner.query(`ALTER TABLE versions SET (toast_tuple_target = 4080)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE versions RESET (toast_tuple_target)`);
    await queryRunner.query(`ALTER INDEX entry_words_search SET (gin_pending_list_limit = 256)`);
  }
}
