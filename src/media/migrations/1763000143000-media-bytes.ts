import { MigrationInterface, QueryRunner } from 'typeorm';

/** The bytes of a tenant's files, counted where the files are. */
export class MediaBytes1763000143000 implements MigrationInterface {
  name = 'MediaBytes1763000143000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE media_counts ADD COLUMN bytes bigint NOT NULL DEFAULT 0`);
    // The sum of the shards counts, so one shard may hold all bytes so far. It may be a new one.
    await queryRunner.query(`
      INSERT INTO media_counts AS c (tenant_id, mime_type, shard, files, bytes)
      SELECT tenant_id, mime_type, 0, 0, sum(size) FROM media GROUP BY tenant_id, mime_type
      ON CONFLICT (tenant_id, mime_type, shard) DO UPDATE SET bytes = excluded.bytes`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE media_counts DROP COLUMN bytes`);
  }
}
