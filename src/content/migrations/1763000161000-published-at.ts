import { MigrationInterface, QueryRunner } from 'typeorm';

/** Entries that are written at once. */
const BATCH = 1_000;

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

interface EntryRow {
  typeId: string;
  id: string;
}

/**
 * When entries became published. Of those that are published, the versions tell: it was at the first version after the last draft. Without
 * versions, it is when the entry was created.
 */
export class PublishedAt1763000161000 implements MigrationInterface {
  name = 'PublishedAt1763000161000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`SET LOCAL statement_timeout = 0`);
    await queryRunner.query(`ALTER TABLE entries ADD COLUMN published_at timestamptz(3)`);
    const tenants = (await queryRunner.query(`SELECT id FROM tenants ORDER BY id`)) as { id: string }[];
    for (const { id } of tenants) await fill(queryRunner, id);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE entries DROP COLUMN published_at`);
  }
}

async function fill(queryRunner: QueryRunner, tenantId: string): Promise<void> {
  let last: EntryRow | undefined = { typeId: BEFORE_ALL, id: BEFORE_ALL };
  while (last) {
    const rows = (await queryRunner.query(
      `SELECT content_type_id AS "typeId", id FROM entries
        WHERE tenant_id = $1 AND status = 'published' AND (content_type_id, id) > ($2, $3)
        ORDER BY content_type_id, id LIMIT ${BATCH}`,
      [tenantId, last.typeId, last.id],
    )) as EntryRow[];
    await queryRunner.query(
      `UPDATE entries e SET published_at = coalesce((
          SELECT min(v.at) FROM versions v
          WHERE v.tenant_id = $1 AND v.resource_id = e.id AND v.summary::json ->> 'status' = 'published'
            AND v.number > coalesce((
              SELECT max(d.number) FROM versions d
              WHERE d.tenant_id = $1 AND d.resource_id = e.id AND d.summary::json ->> 'status' = 'draft'
            ), 0)
        ), e.created_at)
        FROM unnest($2::uuid[], $3::uuid[]) AS n (type_id, id)
        WHERE e.tenant_id = $1 AND e.content_type_id = n.type_id AND e.id = n.id`,
      [tenantId, rows.map(({ typeId }) => typeId), rows.map(({ id }) => id)],
    );
    last = rows.at(-1);
  }
}
