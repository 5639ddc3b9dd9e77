import { MigrationInterface, QueryRunner } from 'typeorm';

/** The pending list of the search index may be longer, because it is now emptied soon after a search (`SearchIndexUpkeep`). */
export class LongerSearchList1763000144500 implements MigrationInterface {
  name = 'LongerSearchList1763000144500';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER INDEX entry_words_search SET (gin_pending_list_limit = 4096)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER INDEX entry_words_search SET (gin_pending_list_limit = 1024)`);
  }
}
