import { formatId } from '../../ids/type-id.js';
import type { SubmissionRow } from '../submissions/submission-presenter.js';

/** The row of a submission in the full view. `reasons` is JSON text; null if there are none. */
export interface FullRow extends SubmissionRow {
  verdict: string | null;
  reasons: string | null;
  state: string | null;
  note: string | null;
  origin: string | null;
  locale: string | null;
}

/** The columns of `FullRow` besides those of `SubmissionRow`, of the row `alias` of `submissions`. */
export function fullColumns<const Alias extends string>(alias: Alias) {
  return `${alias}.verdict, array_to_json(${alias}.reasons) AS reasons, ${alias}.state, ${alias}.note, ${alias}.origin, ${alias}.locale` as const;
}

/** The submission's JSON in the full view. The row's JSON is passed through unchanged. */
export function presentFull(formId: string, row: FullRow): string {
  const { id, fields, createdAt, verdict, reasons, state, note, origin, locale } = row;
  const head = `"id":"${formatId('sub', id)}","form_id":"${formatId('frm', formId)}","fields":${fields},"created_at":"${createdAt}"`;
  const judged = `"verdict":"${verdict ?? 'ok'}","reasons":${reasons ?? '[]'}`;
  const read = `"state":"${state ?? 'new'}","note":${JSON.stringify(note)},"files":[]`;
  return `{${head},${judged},${read},"origin":${JSON.stringify(origin)},"locale":${JSON.stringify(locale)}}`;
}
