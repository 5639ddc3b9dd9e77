import { MigrationInterface, QueryRunner } from 'typeorm';

/** Changes of content types that are carried out in batches, and what they prepare. */
export class SchemaChanges1763000110100 implements MigrationInterface {
  name = 'SchemaChanges1763000110100';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE schema_changes (
        tenant_id text COLLATE "C" NOT NULL,
        id uuid NOT NULL,
        content_type_id uuid NOT NULL,
        state text NOT NULL,
        phase text NOT NULL,
        request json,
        after uuid NOT NULL,
        processed integer NOT NULL,
        total integer NOT NULL,
        conflicts integer NOT NULL,
        problem json,
        created_at timestamptz(3) NOT NULL,
        finished_at timestamptz(3),
        PRIMARY KEY (tenant_id, id)
      )`);
    await queryRunner.query(`CREATE INDEX schema_changes_of_type ON schema_changes (tenant_id, content_type_id)`);
    await queryRunner.query(`ALTER TABLE content_types ADD COLUMN index_names json, ADD COLUMN change_id uuid`);
    await queryRunner.query(`
      ALTER TABLE entries ADD COLUMN next json, ADD COLUMN next_retired json, ADD COLUMN next_of integer, ADD COLUMN next_version integer`);
  }

  /** Index rows under other names get those of their fields again. A change in progress ends as it is. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`SET LOCAL statement_timeout = 0`);
    await queryRunner.query(`
      UPDATE entries e SET fields = e.next, retired = e.next_retired, size = octet_length(e.next::text) FROM content_types t
      WHERE t.tenant_id = e.tenant_id AND t.id = e.content_type_id AND e.next_of = e.version AND e.next IS NOT NULL AND e.next_version <= t.version`);
    for (const [table, ending] of [
      ['entry_values', ''],
      ['entry_values', '[]'],
      ['entry_uniques', ''],
    ] as const) {
      const renamed = `FROM content_types t CROSS JOIN LATERAL json_each_text(t.index_names) AS n (name, stored)
        WHERE x.tenant_id = t.tenant_id AND x.content_type_id = t.id`;
      await queryRunner.query(`DELETE FROM ${table} x USING content_types t CROSS JOIN LATERAL json_each_text(t.index_names) AS n (name, stored)
        WHERE x.tenant_id = t.tenant_id AND x.content_type_id = t.id AND x.field = n.name || '${ending}' AND n.name <> n.stored`);
      await queryRunner.query(
        `UPDATE ${table} x SET field = n.name || '${ending}' ${renamed} AND x.field = n.stored || '${ending}'`,
      );
    }
    await queryRunner.query(
      `ALTER TABLE entries DROP COLUMN next, DROP COLUMN next_retired, DROP COLUMN next_of, DROP COLUMN next_version`,
    );
    await queryRunner.query(`ALTER TABLE content_types DROP COLUMN index_names, DROP COLUMN change_id`);
    await queryRunner.query(`DROP TABLE schema_changes`);
    await queryRunner.query(`DELETE FROM due_work WHERE kind = 'schema_change'`);
  }
}
