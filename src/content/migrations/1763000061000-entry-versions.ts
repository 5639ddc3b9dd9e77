import { MigrationInterface, QueryRunner } from 'typeorm';
import { formatId } from '../../ids/type-id.js';
import { presentEntrySql } from '../entries/entry-presenter.js';

/** Entries that are written at once. The database builds the data of their versions. */
const BATCH = 1_000;

interface EntryRow {
  tenantId: string;
  typeId: string;
  id: string;
}

/** The history of entries begins with their state at this time. */
export class EntryVersions1763000061000 implements MigrationInterface {
  name = 'EntryVersions1763000061000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`SET LOCAL statement_timeout = 0`);
    let [tenantId, typeId, id] = ['', ...Array<string>(2).fill('00000000-0000-0000-0000-000000000000')];
    for (;;) {
      const rows = (await queryRunner.query(
        `SELECT tenant_id AS "tenantId", content_type_id AS "typeId", id FROM entries
          WHERE (tenant_id, content_type_id, id) > ($1, $2, $3) ORDER BY tenant_id, content_type_id, id LIMIT ${BATCH}`,
        [tenantId, typeId, id],
      )) as EntryRow[];
      const last = rows.at(-1);
      if (!last) return;
      await queryRunner.query(
        `INSERT INTO versions (tenant_id, resource_id, number, summary, data, at)
          SELECT e.tenant_id, e.id, e.version,
            format('{"action":"%s","status":"%s","changed":[]}', CASE e.version WHEN 1 THEN 'created' ELSE 'updated' END, e.status),
            ${presentEntrySql('e', 'n.public_id', 'n.public_type_id')}, e.updated_at
          FROM unnest($1::text[], $2::uuid[], $3::uuid[], $4::text[], $5::text[]) AS n (tenant_id, type_id, id, public_id, public_type_id)
          JOIN entries e ON e.tenant_id = n.tenant_id AND e.content_type_id = n.type_id AND e.id = n.id`,
        [
          rows.map((row) => row.tenantId),
          rows.map((row) => row.typeId),
          rows.map((row) => row.id),
          rows.map((row) => formatId('ent', row.id)),
          rows.map((row) => formatId('ct', row.typeId)),
        ],
      );
      ({ tenantId, typeId, id } = last);
    }
  }

  /** The migration that made the table of versions drops it. */
  async down(): Promise<void> {}
}
