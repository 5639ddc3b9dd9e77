import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The primary key of entries becomes their newest index. Until the table has statistics, `entries_updated` seems as cheap for a look-up by ID, and
 * PostgreSQL then takes the newer index: each look-up read all entries of the content type.
 */
export class NewestPrimaryKey1763000153000 implements MigrationInterface {
  name = 'NewestPrimaryKey1763000153000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE entries DROP CONSTRAINT entries_pkey');
    await queryRunner.query(
      'ALTER TABLE entries ADD CONSTRAINT entries_pkey PRIMARY KEY (tenant_id, content_type_id, id)',
    );
  }

  async down(): Promise<void> {
    // The key is the same.
  }
}
