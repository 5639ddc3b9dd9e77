import { MigrationInterface, QueryRunner } from 'typeorm';
import { runNow } from '../../admission/steps.js';
import type { IndexNames } from '../../fields/compiled-field.js';
import type { FieldDefinition } from '../../fields/field-definition.js';
import { splitMediaUrl } from '../../fields/formats/media-url.js';
import { isRecord } from '../../fields/record.js';
import { Schema } from '../../fields/schema.js';
import { parseId } from '../../ids/type-id.js';
import { digestSteps } from '../../json/json-digest.js';
import { mapLeaves } from '../map-leaves.js';
import { valuesJson } from '../values-json.js';

/** Entries that are read at once. An entry can have megabytes. */
const BATCH = 20;
const FIRST = '00000000-0000-0000-0000-000000000000';

type Values = Record<string, unknown>;

interface MediaType {
  tenantId: string;
  id: string;
  schema: Schema;
}

interface EntryRow {
  id: string;
  fields: string;
}

interface DraftRow extends EntryRow {
  draft: string;
  bases: string;
}

/** Entries name files by their paths instead of URLs (`fields/formats/media-url.ts`), so that the URLs in responses follow `PUBLIC_URL`. */
export class MediaPaths1763000162100 implements MigrationInterface {
  name = 'MediaPaths1763000162100';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`SET LOCAL statement_timeout = 0`);
    for (const type of await typesWithMedia(queryRunner)) {
      // Drafts remember what the values of the entry were.
      await mendDrafts(queryRunner, type);
      await mendEntries(queryRunner, type);
    }
    await mendKept(queryRunner);
  }

  /** Paths are values too: of files of the service, whatever its URL is. Only their marks mean nothing to the version before. */
  async down(): Promise<void> {
    // Nothing to do.
  }
}

async function typesWithMedia(queryRunner: QueryRunner): Promise<MediaType[]> {
  const rows = (await queryRunner.query(
    `SELECT tenant_id AS "tenantId", id, fields, index_names AS "indexNames" FROM content_types
      WHERE position('"media"' IN fields::text) > 0 ORDER BY tenant_id, id`,
  )) as { tenantId: string; id: string; fields: FieldDefinition[]; indexNames: IndexNames | null }[];
  return rows.map(({ tenantId, id, fields, indexNames }) => ({
    tenantId,
    id,
    schema: Schema.compile(mediaDefinitions(fields), 'content', indexNames),
  }));
}

/** Only the definitions of media fields and of what is around them: others may be of extensions that are turned off. */
function mediaDefinitions(definitions: readonly FieldDefinition[]): FieldDefinition[] {
  return definitions.flatMap((definition): FieldDefinition[] => {
    const { type, fields, blocks } = definition;
    if (type === 'media') return [definition];
    if (type === 'group' && fields) return [{ ...definition, fields: mediaDefinitions(fields) }];
    if (type !== 'blocks' || !blocks) return [];
    return [{ ...definition, blocks: blocks.map((block) => ({ ...block, fields: mediaDefinitions(block.fields) })) }];
  });
}

async function mendEntries(queryRunner: QueryRunner, type: MediaType): Promise<void> {
  for (let after = FIRST; ;) {
    const rows = (await queryRunner.query(
      `SELECT id, fields::text AS fields FROM entries
        WHERE tenant_id = $1 AND content_type_id = $2 AND id > $3 AND position('/media/' || $1 || '/med_' IN fields::text) > 0
        ORDER BY id LIMIT ${BATCH}`,
      [type.tenantId, type.id, after],
    )) as EntryRow[];
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
    const entries = rows.map(({ id, fields }) => ({ id, before: JSON.parse(fields) as Values }));
    const files = await filesIn(
      queryRunner,
      type,
      entries.map(({ before }) => before),
    );
    for (const { id, before } of entries) await mendEntry(queryRunner, type, id, before, named(type, before, files));
  }
}

async function mendEntry(
  queryRunner: QueryRunner,
  { tenantId, id: typeId, schema }: MediaType,
  id: string,
  before: Values,
  after: Values,
): Promise<void> {
  const of = [tenantId, typeId, id];
  const fields = runNow(valuesJson(schema, after));
  await queryRunner.query(
    `UPDATE entries SET fields = $4::text::json, size = octet_length($4::text) WHERE tenant_id = $1 AND content_type_id = $2 AND id = $3`,
    [...of, fields],
  );
  for (const { field, key, discriminator } of schema.indexRows(before)) {
    await queryRunner.query(
      `DELETE FROM entry_values WHERE tenant_id = $1 AND content_type_id = $2 AND entry_id = $3 AND field = $4 AND sort_key = $5 AND discriminator = $6`,
      [...of, field, key, discriminator],
    );
  }
  for (const { field, key, discriminator } of schema.indexRows(after)) {
    await queryRunner.query(
      `INSERT INTO entry_values (tenant_id, content_type_id, entry_id, field, sort_key, discriminator)
        VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
      [...of, field, key, discriminator],
    );
  }
}

async function mendDrafts(queryRunner: QueryRunner, type: MediaType): Promise<void> {
  for (let after = FIRST; ;) {
    const rows = (await queryRunner.query(
      `SELECT d.entry_id AS id, d.fields::text AS draft, d.bases::text AS bases, e.fields::text AS fields
        FROM entry_drafts d JOIN entries e ON e.tenant_id = $1 AND e.content_type_id = $2 AND e.id = d.entry_id
        WHERE d.tenant_id = $1 AND d.content_type_id = $2 AND d.entry_id > $3 AND d.fields IS NOT NULL
          AND position('/media/' || $1 || '/med_' IN d.fields::text || e.fields::text) > 0
        ORDER BY d.entry_id LIMIT ${BATCH}`,
      [type.tenantId, type.id, after],
    )) as DraftRow[];
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
    const drafts = rows.map(({ id, draft, fields, bases }) => ({
      id,
      draft: JSON.parse(draft) as Values,
      live: JSON.parse(fields) as Values,
      bases: JSON.parse(bases) as Record<string, string | null>,
    }));
    const files = await filesIn(
      queryRunner,
      type,
      drafts.flatMap(({ draft, live }) => [draft, live]),
    );
    for (const { id, draft, live, bases } of drafts) {
      const moved = movedBases(bases, live, named(type, live, files));
      await queryRunner.query(
        `UPDATE entry_drafts SET fields = $4, bases = $5 WHERE tenant_id = $1 AND content_type_id = $2 AND entry_id = $3`,
        [type.tenantId, type.id, id, JSON.stringify(named(type, draft, files)), JSON.stringify(moved)],
      );
    }
  }
}

/** A base that is the digest of the live value remains so. */
function movedBases(bases: Record<string, string | null>, before: Values, after: Values): typeof bases {
  const digest = (values: Values, name: string) =>
    Object.hasOwn(values, name) ? runNow(digestSteps(values[name])) : null;
  return Object.fromEntries(
    Object.entries(bases).map(([name, base]) => [name, base === digest(before, name) ? digest(after, name) : base]),
  );
}

/** Returns the files of the tenant that the values name, as public IDs. */
async function filesIn(
  queryRunner: QueryRunner,
  { tenantId, schema }: MediaType,
  all: readonly Values[],
): Promise<ReadonlySet<string>> {
  const ids = new Map<string, string>();
  for (const values of all) {
    runNow(
      mapLeaves(schema, 'media', values, (value) => {
        const id = idIn(tenantId, value);
        const uuid = id === undefined ? undefined : parseId('med', id);
        if (id !== undefined && uuid !== undefined) ids.set(uuid, id);
        return value;
      }),
    );
  }
  const rows = (await queryRunner.query(`SELECT id FROM media WHERE tenant_id = $1 AND id = ANY ($2::uuid[])`, [
    tenantId,
    [...ids.keys()],
  ])) as { id: string }[];
  return new Set(rows.flatMap(({ id }) => ids.get(id) ?? []));
}

/** Returns the values with paths in the place of the URLs of these files. */
function named({ tenantId, schema }: MediaType, values: Values, files: ReadonlySet<string>): Values {
  const mapped = runNow(
    mapLeaves(schema, 'media', values, (value) => {
      const id = idIn(tenantId, value);
      if (id === undefined || !files.has(id)) return value;
      const { url } = value as { url: string };
      return { ...(value as object), url: splitMediaUrl(url)?.path ?? url };
    }),
  );
  return mapped as Values;
}

/** Returns the public ID of the tenant's file whose URL the value has. */
function idIn(tenantId: string, value: unknown): string | undefined {
  const url = isRecord(value) ? value['url'] : undefined;
  const path = typeof url === 'string' ? splitMediaUrl(url)?.path : undefined;
  return path?.startsWith(`/media/${tenantId}/`) ? /med_[0-9a-z]{26}/.exec(path)?.[0] : undefined;
}

/** What is only read and never written again, and values that are not those of an entry now: their text is mended. */
async function mendKept(queryRunner: QueryRunner): Promise<void> {
  const tenants = (await queryRunner.query(`SELECT DISTINCT tenant_id AS id FROM media`)) as { id: string }[];
  for (const { id } of tenants) {
    for (const [table, column, type] of KEPT) {
      await queryRunner.query(
        `UPDATE ${table} SET ${column} = regexp_replace(${column}::text, $2, '"url":"\\\\u002fmedia/' || $1 || '/\\1', 'g')::${type}
          WHERE tenant_id = $1 AND ${column}::text ~ $2`,
        [id, `"url":"[^"\\\\]*/media/${id}/(med_[0-9a-z]{26})`],
      );
    }
  }
}

const KEPT = [
  ['versions', 'data', 'text'],
  ['events', 'data', 'json'],
  ['entries', 'next', 'json'],
  ['entries', 'retired', 'json'],
  ['entries', 'next_retired', 'json'],
] as const;
