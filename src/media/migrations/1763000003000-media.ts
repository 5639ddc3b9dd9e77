import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Uploaded files: their metadata, counts by type, variants of images with their last use, and bytes without a row. */
export class Media1763000003000 implements MigrationInterface {
  name = 'Media1763000003000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE media (
        tenant_id text COLLATE "C" NOT NULL REFERENCES tenants (id),
        id uuid NOT NULL,
        filename text NOT NULL,
        alt text NOT NULL,
        mime_type text COLLATE "C" NOT NULL,
        extension text COLLATE "C" NOT NULL,
        size bigint NOT NULL,
        width integer,
        height integer,
        search tsvector NOT NULL,
        created_at timestamptz(3) NOT NULL,
        PRIMARY KEY (tenant_id, id)
      )`);
    await queryRunner.query(`CREATE INDEX media_mime_type ON media (tenant_id, mime_type, id)`);
    await queryRunner.query(`CREATE INDEX media_search ON media USING gin (search)`);

    await queryRunner.query(`
      CREATE TABLE media_counts (
        tenant_id text COLLATE "C" NOT NULL,
        mime_type text COLLATE "C" NOT NULL,
        shard smallint NOT NULL,
        files bigint NOT NULL,
        bytes bigint NOT NULL DEFAULT 0,
        PRIMARY KEY (tenant_id, mime_type, shard)
      )
      WITH (fillfactor = 50)`);

    await queryRunner.query(`
      CREATE TABLE media_variants (
        tenant_id text COLLATE "C" NOT NULL,
        media_id uuid NOT NULL,
        name text COLLATE "C" NOT NULL,
        bytes bigint NOT NULL,
        used_at timestamptz(3) NOT NULL,
        PRIMARY KEY (tenant_id, media_id, name)
      )`);
    await queryRunner.query(`CREATE INDEX media_variants_used_at ON media_variants (tenant_id, used_at)`);
    await queryRunner.query(
      `CREATE INDEX media_variants_unmeasured ON media_variants (tenant_id, used_at) WHERE bytes = 0`,
    );

    await queryRunner.query(`
      CREATE TABLE media_variant_totals (
        tenant_id text COLLATE "C" NOT NULL,
        bytes bigint NOT NULL,
        PRIMARY KEY (tenant_id)
      )
      WITH (fillfactor = 50)`);

    await queryRunner.query(`
      CREATE TABLE orphaned_files (
        tenant_id text COLLATE "C" NOT NULL,
        id uuid NOT NULL,
        leaving boolean NOT NULL,
        since timestamptz(3) NOT NULL,
        PRIMARY KEY (tenant_id, id)
      )`);
    await queryRunner.query(`CREATE INDEX orphaned_files_since ON orphaned_files (since)`);

    await queryRunner.query(`
      CREATE TABLE private_file_counts (
        tenant_id text COLLATE "C" NOT NULL,
        shard smallint NOT NULL,
        files bigint NOT NULL,
        bytes bigint NOT NULL,
        PRIMARY KEY (tenant_id, shard)
      )
      WITH (fillfactor = 50)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of [
      'private_file_counts',
      'orphaned_files',
      'media_variant_totals',
      'media_variants',
      'media_counts',
      'media',
    ]) {
      await queryRunner.query(`DROP TABLE ${table}`);
    }
  }
}
