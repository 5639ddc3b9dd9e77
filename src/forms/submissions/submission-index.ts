import type { SlicedWork } from '../../admission/sliced-work.js';
import type { CompiledField, IndexRow } from '../../fields/compiled-field.js';
import { supplied } from '../../fields/record.js';
import type { Schema } from '../../fields/schema.js';

/** A row in `submission_values`. */
type SubmissionIndexRow = IndexRow;

/**
 * SQL that holds for every row. Only statements with this condition may use the index by submission. The others would read all rows of a form
 * with it, because a planner without statistics does not know that the index by key finds fewer.
 */
export const BY_SUBMISSION = `discriminator >= ''`;

/**
 * Returns a submission's rows in `submission_values`, one for each field of its form. If the field has no value, its row is in a separate
 * section, so that a list sorted by the field can walk the index and return these submissions last.
 */
export function* indexRowsSliced(schema: Schema, values: Record<string, string>): SlicedWork<SubmissionIndexRow[]> {
  const missing = schema.fields.filter(({ name }) => !Object.hasOwn(values, name));
  return [...(yield* schema.indexRowsSliced(values)), ...missing.map((field) => missingRow(field))];
}

/** A submission as it is stored. `fields` is JSON text. */
export interface StoredSubmission {
  id: string;
  fields: string;
  isSpam: boolean;
}

/** The index rows of stored submissions, each with the ID of its submission, for these fields of their form. */
export function* storedIndexRowsSliced(
  fields: readonly CompiledField[],
  submissions: readonly StoredSubmission[],
): SlicedWork<{ id: string; row: SubmissionIndexRow }[]> {
  const rows: { id: string; row: SubmissionIndexRow }[] = [];
  for (const submission of submissions) {
    for (const row of yield* rowsOfStored(fields, submission)) rows.push({ id: submission.id, row });
    yield;
  }
  return rows;
}

/** Like `indexRowsSliced`, for a stored submission: a value that does not fit the field of today has the row of a missing value. */
export function* rowsOfStored(
  fields: readonly CompiledField[],
  { fields: text, isSpam }: Pick<StoredSubmission, 'fields' | 'isSpam'>,
): SlicedWork<SubmissionIndexRow[]> {
  const values = JSON.parse(text) as Record<string, string>;
  const rows: SubmissionIndexRow[] = [];
  for (const field of fields) {
    const value = supplied(values, field.name);
    const fits = value !== undefined && !(yield* field.isMisfitSliced(value));
    const found = fits ? yield* field.indexRows(value) : [];
    rows.push(...(found.length > 0 ? found : [missingRow(field)]));
  }
  return isSpam ? rows.map((row) => ({ ...row, field: sectionOfSpam(row.field) })) : rows;
}

function missingRow({ indexName }: CompiledField): SubmissionIndexRow {
  return { field: sectionWithout(indexName), key: '', discriminator: '' };
}

/** The section that spam has instead of this one, so that lists of other submissions do not read it. No other section begins with a `?`. */
export function sectionOfSpam(section: string): string {
  return `?${section}`;
}

/** The section of the submissions without a value of the field, which has this name in the index. No such name begins with a `!`. */
export function sectionWithout(indexName: string): string {
  return `!${indexName}`;
}
