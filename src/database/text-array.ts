import type { Steps } from '../admission/steps.js';

/** Elements that one step writes. */
const PIECE = 500;

const SPECIAL = /["\\]/g;

/** Longer columns are converted to text here, not by the driver. */
const MANY = 1_000;

/** An array parameter: the elements, or PostgreSQL's text of the array. */
export type TextArray = string | readonly (string | null)[];

/**
 * Converts rows to one array for each parameter, which is how rows are passed to a statement. `names` maps each parameter to a property
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
 * Returns a text array in PostgreSQL's notation. The driver could do this as well, but a hundred thousand elements at once take it tens
 * of milliseconds.
 */
function* textArraySteps(elements: readonly (string | null)[]): Steps<string> {
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
