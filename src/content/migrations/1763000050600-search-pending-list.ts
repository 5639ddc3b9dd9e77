import { MigrationInterface, QueryRunner } from 'typeorm';

/** Every search reads the pending list of its index, so that a shorter list makes searches faster while entries are written. */
export class SearchPendingList1763000050600 implements MigrationInterface {
  name = 'SearchPendingList1763000050600';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER INDEX entry_words_search SET (gin_pending_list_limit = 256)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER INDEX entry_words_search SET (gin_pending_list_limit = 1024)`);
  }
}
