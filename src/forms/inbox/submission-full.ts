import { formatId } from '../../ids/type-id.js';
import type { SubmissionFileDto } from './inbox.dto.js';
import type { SubmissionRow } from '../submissions/submission-presenter.js';

/** The row of a submission in the full view. `reasons` and `files` are JSON text; null if there are none. */
export interface FullRow extends SubmissionRow {
  verdict: string | null;
  reasons: string | null;
  state: string | null;
  note: string | null;
  origin: string | null;
  locale: string | null;
  files: string | null;
}

/** The columns that `fullColumns` and `SubmissionRow` are made of, with their types. */
export const FULL_RETURNED = {
  id: 'uuid',
  fields: 'json',
  created_at: 'timestamptz',
  verdict: 'text',
  reasons: 'text[]',
  state: 'text',
  note: 'text',
  origin: 'text',
  locale: 'text',
} as const;

/** The columns of `FullRow` besides those of `SubmissionRow`, of the row `alias` of `submissions`. `tenant` is SQL. */
export function fullColumns<const Alias extends string, const Tenant extends string>(alias: Alias, tenant: Tenant) {
  return `${alias}.verdict, array_to_json(${alias}.reasons) AS reasons, ${alias}.state, ${alias}.note, ${alias}.origin, ${alias}.locale, ${filesOf(alias, tenant)}` as const;
}

/** The files of a submission, in the order in which they were sent. */
function filesOf<const Alias extends string, const Tenant extends string>(alias: Alias, tenant: Tenant) {
  return `(SELECT json_agg(
        json_build_object('id', f.id, 'field', f.field, 'name', f.name, 'mime_type', f.mime_type, 'size', f.size) ORDER BY f.id
      ) FROM submission_files f WHERE f.tenant_id = ${tenant} AND f.submission_id = ${alias}.id) AS files` as const;
}

/** The submission's JSON in the full view. The row's JSON is passed through unchanged. */
export function presentFull(formId: string, row: FullRow): string {
  const { id, fields, createdAt, verdict, reasons, state, note, origin, locale, files } = row;
  const head = `"id":"${formatId('sub', id)}","form_id":"${formatId('frm', formId)}","fields":${fields},"created_at":"${createdAt}"`;
  const judged = `"verdict":"${verdict ?? 'ok'}","reasons":${reasons ?? '[]'}`;
  const read = `"state":"${state ?? 'new'}","note":${JSON.stringify(note)},"files":${files === null ? '[]' : presentFiles(files)}`;
  return `{${head},${judged},${read},"origin":${JSON.stringify(origin)},"locale":${JSON.stringify(locale)}}`;
}

function presentFiles(json: string): string {
  const files = JSON.parse(json) as SubmissionFileDto[];
  return JSON.stringify(files.map((file) => ({ ...file, id: formatId('fil', file.id) })));
}
