import type { Steps } from '../admission/steps.js';

/** Elements that one step writes. */
const PIECE = 500;

const SPECIAL = /["\\]/g;

/** Longer columns are written out here rather than by the driver. */
const MANY = 1_000;

/** An array parameter: the elements, or PostgreSQL's text of the array. */
export type TextArray = string | readonly (string | null)[];

/**
 * Turns rows into arrays of equal length, which is how rows are passed to a statement. `names` says which parameter takes which property
 * of the rows.
 */
export function* columns<Parameter extends string, Property extends string>(
  rows: readonly Readonly<Record<Property, string | null>>[],
  names: Readonly<Record<Parameter, Property>>,
): Steps<Record<Parameter, TextArray>> {
  const arrays = {} as Record<Parameter, TextArray>;
  for (const parameter in names) {
    const values = rows.map((row) => row[names[parameter]]);
    arrays[parameter] = rows.length > MANY ? yield* textArraySteps(values) : values;
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
