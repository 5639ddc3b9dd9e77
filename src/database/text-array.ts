import type { Steps } from '../admission/steps.js';
import type { Value } from './database.js';

/** Elements that one step writes. */
const PIECE = 500;

const SPECIAL = /["\\]/g;

/** Longer columns are written out here rather than by the driver. */
const MANY = 1_000;

/** The named columns of some rows as arrays, which is how rows travel into a statement. */
export function* columns<Name extends string>(
  rows: readonly Record<Name, string | null>[],
  names: readonly Name[],
): Steps<Value[]> {
  const arrays: Value[] = [];
  for (const name of names) {
    const values = rows.map((row) => row[name]);
    arrays.push(rows.length > MANY ? yield* textArraySteps(values) : values);
  }
  return arrays;
}

/**
 * A text array as PostgreSQL reads it. The driver writes arrays as well, but a hundred thousand elements at once take it tens of
 * milliseconds.
 */
export function* textArraySteps(elements: readonly (string | null)[]): Steps<string> {
  const texts: string[] = [];
  for (let from = 0; from < elements.length; from += PIECE) {
    texts.push(
      elements
        .slice(from, from + PIECE)
        .map(elementText)
        .join(','),
    );
    yield;
  }
  return `{${texts.join(',')}}`;
}

function elementText(element: string | null): string {
  return element === null ? 'NULL' : `"${element.replace(SPECIAL, '\\$&')}"`;
}
