import { MigrationInterface, QueryRunner } from 'typeorm';
import { runNow } from '../../admission/steps.js';
import type { FieldDefinition } from '../../fields/field-definition.js';
import { Schema } from '../../fields/schema.js';
import { tsvectorArray } from '../../search/tsvector.js';
import type { Values } from '../entries/writes/entry-values.js';
import { documentOf } from '../entries/writes/stored-form.js';

/** Entries that are read at once. An entry can have megabytes. */
const BATCH = 20;

interface TypeRow {
  tenantId: string;
  id: string;
  fields: FieldDefinition[];
}

interface EntryRow {
  id: string;
  fields: Values;
}

/** Search documents with tiers, and with the sequence of words where a vector has gaps. Writes the document of every entry. */
export class SearchDocuments1763000040000 implements MigrationInterface {
  name = 'SearchDocuments1763000040000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`SET LOCAL statement_timeout = 0`);
    await queryRunner.query(
      `ALTER TABLE entry_words ADD COLUMN gaps smallint NOT NULL DEFAULT 0, ADD COLUMN sequence text`,
    );
    const types = (await queryRunner.query(
      `SELECT tenant_id AS "tenantId", id, fields FROM content_types ORDER BY tenant_id, id`,
    )) as TypeRow[];
    for (const type of types) await writeDocuments(queryRunner, type);
  }

  /** The lexemes of words are the same before. The others find nothing then. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE entry_words DROP COLUMN gaps, DROP COLUMN sequence`);
  }
}

async function writeDocuments(queryRunner: QueryRunner, { tenantId, id: typeId, fields }: TypeRow): Promise<void> {
  const type = { id: typeId, schema: Schema.compile(fields, 'content'), stem: undefined };
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const entries = (await queryRunner.query(
      `SELECT id, fields FROM entries WHERE tenant_id = $1 AND content_type_id = $2 AND id > $3 ORDER BY id LIMIT ${BATCH}`,
      [tenantId, typeId, after],
    )) as EntryRow[];
    const last = entries.at(-1);
    if (!last) return;
    const documents = entries.map((entry) => runNow(documentOf(type, entry.fields)));
    await queryRunner.query(
      `UPDATE entry_words x SET words = n.words, gaps = n.gaps, sequence = n.sequence
        FROM unnest($3::uuid[], $4::tsvector[], $5::smallint[], $6::text[]) AS n (id, words, gaps, sequence)
        WHERE x.tenant_id = $1 AND x.content_type_id = $2 AND x.entry_id = n.id`,
      [
        tenantId,
        typeId,
        entries.map(({ id }) => id),
        tsvectorArray(documents.map(({ vector }) => vector)),
        documents.map(({ gaps }) => gaps),
        documents.map(({ sequence }) => sequence),
      ],
    );
    after = last.id;
  }
}
