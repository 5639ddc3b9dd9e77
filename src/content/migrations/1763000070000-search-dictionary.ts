import { MigrationInterface, QueryRunner } from 'typeorm';

/** The words of each content type, from which misspelled searches are corrected. */
export class SearchDictionary1763000070000 implements MigrationInterface {
  name = 'SearchDictionary1763000070000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`SET LOCAL statement_timeout = 0`);
    await queryRunner.query(`
      CREATE TABLE search_words (
        tenant_id text COLLATE "C" NOT NULL,
        content_type_id uuid NOT NULL,
        length smallint NOT NULL,
        word text COLLATE "C" NOT NULL,
        PRIMARY KEY (tenant_id, content_type_id, length, word)
      )`);
    // Lexemes begin with five digits of the content type. Those with other signs are not words, and numbers are not corrected. A hash aggregate that does not fit into
    // memory goes on on the disk, so a table of any size can be read at once.
    await queryRunner.query(`
      INSERT INTO search_words (tenant_id, content_type_id, length, word)
      SELECT DISTINCT w.tenant_id, w.content_type_id, char_length(l.lexeme) - 5, substr(l.lexeme, 6)
      FROM entry_words w CROSS JOIN LATERAL unnest(tsvector_to_array(w.words)) AS l (lexeme)
      WHERE char_length(l.lexeme) BETWEEN 7 AND 45 AND l.lexeme !~ '[=%+#&. ]' AND substr(l.lexeme, 6) ~ '[^0-9]'`);
    // Two words that differ by one edit have the same beginning or end; by two edits, the same beginning, middle or end (near-words.ts).
    await queryRunner.query(
      `CREATE INDEX search_words_ends ON search_words (tenant_id, content_type_id, length, reverse(word))`,
    );
    await queryRunner.query(`
      CREATE INDEX search_words_middles ON search_words
        (tenant_id, content_type_id, length, substr(word, (length - 2) / 3 + 2, length - (length - 2) / 3 * 2 - 2))
        WHERE length >= 6`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE search_words`);
  }
}
