import type { Steps } from '../../admission/steps.js';
import type { Schema } from '../../fields/schema.js';
import { isSameSteps } from '../../json/same-steps.js';
import { parseSteps } from '../../json/parse-steps.js';
import type { EntryStatus } from '../entries/entry.entity.js';
import type { VersionRow } from './entry-history.sql.js';
import type { Values } from '../entries/entry-writes.js';

export const VERSION_ACTIONS = ['created', 'updated', 'published', 'unpublished', 'restored', 'scheduled'] as const;

/** What made a version. */
export type VersionAction = (typeof VERSION_ACTIONS)[number];

interface VersionSummary {
  action: VersionAction;
  status: EntryStatus;
  /** The fields whose values differ from the version before. */
  changed: readonly string[];
  /** The name of the API key, or `schedule`; undefined if it is not known. */
  by: string | undefined;
}

/** The summary of a version that no history lists, because its entry is gone. */
export const UNLISTED = '{}';

/** The summary of a version, as JSON text. The list of versions adds `version` and `at`. */
export function summaryOf({ action, status, changed, by }: VersionSummary): string {
  return JSON.stringify({ action, status, changed, by });
}

/** The values of the data of a version (see `presentEntry`). */
export function* valuesOf(data: string): Steps<Values> {
  return ((yield* parseSteps(data)) as { fields: Values }).fields;
}

/** The values of a version that are values of the type's fields today, in the order of the fields. */
export function* fittingValues(schema: Schema, values: Values): Steps<Values> {
  const misfits = yield* schema.misfitsSteps(values);
  const fitting: Values = {};
  for (const { name } of schema.fields) {
    if (Object.hasOwn(values, name) && !misfits.has(name)) fitting[name] = values[name];
  }
  return fitting;
}

export interface FieldDifference {
  field: string;
  /** Absent if there was no value. */
  before?: unknown;
  after?: unknown;
}

/** The fields whose values differ, in the order of the type's fields. */
export function* differences(schema: Schema, before: Values, after: Values): Steps<FieldDifference[]> {
  const differing: FieldDifference[] = [];
  for (const { name: field } of schema.fields) {
    const [had, has] = [before[field], after[field]];
    if (yield* isSameSteps(had, has)) continue;
    differing.push({ field, ...(had !== undefined && { before: had }), ...(has !== undefined && { after: has }) });
    yield;
  }
  return differing;
}

/** The patch that makes the stored values of an entry those of a version. Null removes a value. Undefined if nothing differs. */
export function* patchTo(schema: Schema, stored: string, data: string): Steps<Values | undefined> {
  const before = (yield* parseSteps(stored)) as Values;
  const differing = yield* differences(schema, before, yield* valuesOf(data));
  if (differing.length === 0) return undefined;
  return Object.fromEntries(differing.map(({ field, after }) => [field, after ?? null]));
}

/** Whether the summary is that of the version that created the entry. */
export function isFirst(summary: string): boolean {
  return (JSON.parse(summary) as Partial<VersionSummary>).action === 'created';
}

/** A version as the list of versions shows it. */
export function presentVersion({ version, summary, at }: VersionRow, fields?: string): string {
  const added = fields === undefined ? '' : `,"fields":${fields}`;
  return `{"version":${version},${summary.slice(1, -1)},"at":"${at}"${added}}`;
}
