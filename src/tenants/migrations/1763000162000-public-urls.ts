import { MigrationInterface, QueryRunner } from 'typeorm';

/** The URLs that the service had, in whose place entries name files by their paths. Events of uploads tell the earlier ones. */
export class PublicUrls1763000162000 implements MigrationInterface {
  name = 'PublicUrls1763000162000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`SET LOCAL statement_timeout = 0`);
    await queryRunner.query(`ALTER TABLE tenants ADD COLUMN public_urls text[] NOT NULL DEFAULT '{}'`);
    await queryRunner.query(
      `UPDATE tenants t SET public_urls = known.urls FROM (
          SELECT tenant_id, array_agg(DISTINCT url) AS urls FROM (
            SELECT tenant_id, regexp_replace(regexp_replace(data ->> 'url', '/media/.*', ''), '^(https?://)(127\\.0\\.0\\.1|\\[::1\\])', '\\1localhost') AS url
            FROM events WHERE type = 'media.uploaded'
          ) AS uploads WHERE url IS NOT NULL GROUP BY tenant_id
        ) AS known WHERE t.id = known.tenant_id`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE tenants DROP COLUMN public_urls`);
  }
}
