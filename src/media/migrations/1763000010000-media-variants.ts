import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A table of variants with their bytes and their last use, so that they can be stored within a budget. The size of existing variants is
 * unknown: it is 0 until a variant is used again. Variants that are not used are removed after some days.
 */
export class MediaVariants1763000010000 implements MigrationInterface {
  name = 'MediaVariants1763000010000';

  async up(queryRunner: QueryRunner): Promise<void> {
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
    await queryRunner.query(`
      CREATE INDEX media_variants_unmeasured ON media_variants (tenant_id, used_at) WHERE bytes = 0`);
    await queryRunner.query(`
      CREATE TABLE media_variant_totals (
        tenant_id text COLLATE "C" NOT NULL PRIMARY KEY,
        bytes bigint NOT NULL
      ) WITH (fillfactor = 50)`);
    for (const table of ['media', 'media_strays']) {
      await queryRunner.query(`
        INSERT INTO media_variants (tenant_id, media_id, name, bytes, used_at)
        SELECT tenant_id, id, unnest(variants), 0, now() - interval '1 day' FROM ${table}
        ON CONFLICT DO NOTHING`);
      await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN variants`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['media', 'media_strays']) {
      await queryRunner.query(`
        ALTER TABLE ${table} ADD COLUMN variants text[] COLLATE "C" NOT NULL DEFAULT '{}'`);
      await queryRunner.query(`
        UPDATE ${table} m SET variants = v.names
        FROM (SELECT tenant_id, media_id, array_agg(name ORDER BY name) AS names FROM media_variants GROUP BY 1, 2) v
        WHERE v.tenant_id = m.tenant_id AND v.media_id = m.id`);
    }
    await queryRunner.query(`ALTER TABLE media_strays ALTER COLUMN variants DROP DEFAULT`);
    for (const table of ['media_variant_totals', 'media_variants']) await queryRunner.query(`DROP TABLE ${table}`);
  }
}
