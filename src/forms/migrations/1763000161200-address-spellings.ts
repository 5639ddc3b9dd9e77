import type { MigrationInterface, QueryRunner } from 'typeorm';
import { hashedUuid } from '../../ids/hashed-uuid.js';
import { changedFields } from '../field-changes.js';
import type { Form } from '../form.entity.js';
import { hashOfAddress } from '../submissions/submission-hashes.js';

const FIRST = '00000000-0000-0000-0000-000000000000';
const BATCH = 1_000;

interface Place {
  tenantId: string;
  formId: string;
}

interface Hashed {
  id: string;
  fields: Record<string, string>;
  addresses: string[];
}

/** The columns of a form that say how its submissions are indexed. */
type IndexedForm = Pick<Form, 'fields' | 'version' | 'indexNames' | 'former' | 'reindexing'>;

/**
 * All spellings of an address have one hash, and one key in the index. Adds the hashes of stored addresses whose spelling mattered before: those
 * that are not plain ASCII, or have quotation marks. Lets the index be written again after the start, as after a change of the fields.
 */
export class AddressSpellings1763000161200 implements MigrationInterface {
  name = 'AddressSpellings1763000161200';

  async up(queryRunner: QueryRunner): Promise<void> {
    const forms = (await queryRunner.query(
      `SELECT tenant_id AS "tenantId", id AS "formId" FROM forms ORDER BY tenant_id, id`,
    )) as Place[];
    for (const form of forms) await addHashes(queryRunner, form);
    await indexAgain(queryRunner);
  }

  /** The hashes stay: no address has those of another one. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await indexAgain(queryRunner);
  }
}

async function addHashes(queryRunner: QueryRunner, { tenantId, formId }: Place): Promise<void> {
  for (let after: string | undefined = FIRST; after !== undefined;) {
    const rows = (await queryRunner.query(
      `SELECT id, fields, addresses FROM submissions
        WHERE tenant_id = $1 AND form_id = $2 AND id > $3 AND addresses IS NOT NULL AND fields::text ~ '[^\\x01-\\x7f]|\\\\"|xn--'
        ORDER BY id LIMIT ${BATCH}`,
      [tenantId, formId, after],
    )) as Hashed[];
    for (const { id, fields, addresses } of rows) {
      const hashes = [...new Set([...addresses, ...hashesOf(tenantId, fields, addresses)])];
      if (hashes.length === addresses.length) continue;
      const values = [tenantId, formId, id, `{${hashes.join(',')}}`];
      await queryRunner.query(
        `UPDATE submissions SET addresses = $4::uuid[] WHERE tenant_id = $1 AND form_id = $2 AND id = $3`,
        values,
      );
    }
    after = rows.length === BATCH ? rows.at(-1)?.id : undefined;
  }
}

/** Returns the hashes of the values that were addresses, in `email` fields of today or of former times: those with a known hash of before. */
function hashesOf(tenantId: string, fields: Record<string, string>, addresses: readonly string[]): string[] {
  const hashOfBefore = (value: string) => hashedUuid(JSON.stringify([tenantId, value.trim().toLowerCase()]));
  return Object.values(fields)
    .filter((value) => value.includes('@') && addresses.includes(hashOfBefore(value)))
    .map((value) => hashOfAddress(tenantId, value));
}

async function indexAgain(queryRunner: QueryRunner): Promise<void> {
  const forms = (await queryRunner.query(
    `SELECT tenant_id AS "tenantId", id AS "formId" FROM forms WHERE fields::text LIKE '%email%' ORDER BY tenant_id, id`,
  )) as Place[];
  for (const { tenantId, formId } of forms) {
    const [form] = (await queryRunner.query(
      `SELECT fields, version, index_names AS "indexNames", former, reindexing FROM forms WHERE tenant_id = $1 AND id = $2 FOR UPDATE`,
      [tenantId, formId],
    )) as IndexedForm[];
    if (!form?.fields.some(({ type }) => type === 'email')) continue;
    const version = form.version + 1;
    // As if the fields had had another type.
    const before = form.fields.map((field) => (field.type === 'email' ? { ...field, type: 'text' } : field));
    const { indexNames, reindexing } = changedFields({ ...form, fields: before }, form.fields, version);
    await queryRunner.query(
      `UPDATE forms SET version = $3, index_names = $4, reindexing = $5 WHERE tenant_id = $1 AND id = $2`,
      [tenantId, formId, version, JSON.stringify(indexNames), JSON.stringify(reindexing)],
    );
    await queryRunner.query(
      `INSERT INTO due_work (tenant_id, kind, key, due_at, next_at, attempts) VALUES ($1, 'submission_index', $2, now(), now(), 0)
        ON CONFLICT (tenant_id, kind, key) DO UPDATE SET due_at = excluded.due_at, next_at = excluded.next_at, claim = NULL, attempts = 0`,
      [tenantId, formId],
    );
  }
}
