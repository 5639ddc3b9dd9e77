import type { Steps } from '../../admission/steps.js';
import type { CompiledField, IndexRow } from '../../fields/compiled-field.js';
import { supplied } from '../../fields/record.js';
import type { Schema } from '../../fields/schema.js';

/** A row in `submission_values`. */
export type SubmissionIndexRow = IndexRow;

/**
 * SQL that holds for every row. Only statements with this condition may use the index by submission. The others would read all rows of a form
 * with it, because a planner without statistics does not know that the index by key finds fewer.
 */
export const BY_SUBMISSION = `discriminator >= ''`;

/**
 * Returns a submission's rows in `submission_values`, one for each field of its form. If the field has no value, its row is in a separate
 * section, so that a list sorted by the field can walk the index and return these submissions last.
 */
export function* indexRowsSteps(schema: Schema, values: Record<string, string>): Steps<SubmissionIndexRow[]> {
  const missing = schema.fields.filter(({ name }) => !Object.hasOwn(values, name));
  return [...(yield* schema.indexRowsSteps(values)), ...missing.map((field) => missingRow(field))];
}

/** Like `indexRowsSteps`, for the values of a stored submission: one that does not fit the field of today has the row of a missing value. */
export function* storedIndexRowsSteps(
  fields: readonly CompiledField[],
  values: Record<string, string>,
): Steps<SubmissionIndexRow[]> {
  const rows: SubmissionIndexRow[] = [];
  for (const field of fields) {
    const value = supplied(values, field.name);
    const fits = value !== undefined && !(yield* field.isMisfitSteps(value));
    const found = fits ? yield* field.indexRows(value) : [];
    rows.push(...(found.length > 0 ? found : [missingRow(field)]));
  }
  return rows;
}

function missingRow({ indexName }: CompiledField): SubmissionIndexRow {
  return { field: sectionWithout(indexName), key: '', discriminator: '' };
}

/** The section that spam has instead of this one, so that lists of other submissions do not read it. No other section begins with a `?`. */
export function sectionOfSpam(section: string): string {
  return `?${section}`;
}

/** Returns the rows that a submission has as spam instead of these. */
export function rowsOfSpam(rows: readonly SubmissionIndexRow[]): SubmissionIndexRow[] {
  return rows.map((row) => ({ ...row, field: sectionOfSpam(row.field) }));
}

/** The section of the submissions without a value of the field, which has this name in the index. No such name begins with a `!`. */
export function sectionWithout(indexName: string): string {
  return `!${indexName}`;
}
