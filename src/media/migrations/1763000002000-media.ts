import { MigrationInterface, QueryRunner } from 'typeorm';

/** Uploaded files: their metadata, counts by type, and bytes without a row. */
export class Media1763000002000 implements MigrationInterface {
  name = 'Media1763000002000';

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
        variants text[] COLLATE "C" NOT NULL DEFAULT '{}',
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
        slot smallint NOT NULL,
        files bigint NOT NULL,
        PRIMARY KEY (tenant_id, mime_type, slot)
      ) WITH (fillfactor = 50)`);

    await queryRunner.query(`
      CREATE TABLE media_strays (
        tenant_id text COLLATE "C" NOT NULL,
        id uuid NOT NULL,
        variants text[] COLLATE "C" NOT NULL,
        leaving boolean NOT NULL,
        since timestamptz(3) NOT NULL,
        PRIMARY KEY (tenant_id, id)
      )`);
    await queryRunner.query(`CREATE INDEX media_strays_since ON media_strays (since)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['media_strays', 'media_counts', 'media']) await queryRunner.query(`DROP TABLE ${table}`);
  }
}
