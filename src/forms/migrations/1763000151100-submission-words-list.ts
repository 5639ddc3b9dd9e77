import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Submissions are indexed for searches in batches. The index collects their words in a list and sorts them in together, which takes half the
 * time. Every search reads the list, so it is short.
 */
export class SubmissionWordsList1763000151100 implements MigrationInterface {
  name = 'SubmissionWordsList1763000151100';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER INDEX submission_words_search SET (fastupdate = on, gin_pending_list_limit = 256)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER INDEX submission_words_search RESET (gin_pending_list_limit)`);
    await queryRunner.query(`ALTER INDEX submission_words_search SET (fastupdate = off)`);
  }
}
