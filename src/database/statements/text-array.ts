import type { SlicedWork } from '../../admission/sliced-work.js';

/** What one step writes. */
const PIECE = { elements: 500, characters: 64 * 1024 };

const SPECIAL = /["\\]/g;

/** Larger columns are converted to text here, not by the driver. */
const LARGE = { elements: 1_000, characters: 256 * 1024 };

/** An array parameter: the elements, or PostgreSQL's text of the array. */
export type TextArray = string | readonly (string | null)[];

/**
 * Converts rows to one array for each parameter, which is how rows are passed to a statement. `names` maps each parameter to a property
 * of the rows.
 */
export function* columns<Parameter extends string, Property extends string>(
  rows: readonly Readonly<Record<Property, string | null>>[],
  names: Readonly<Record<Parameter, Property>>,
): SlicedWork<Record<Parameter, TextArray>> {
  const arrays = {} as Record<Parameter, TextArray>;
  for (const parameter in names) {
    const values = rows.map((row) => row[names[parameter]]);
    arrays[parameter] = isLarge(values) ? yield* textArraySliced(values) : values;
  }
  return arrays;
}

function isLarge(elements: readonly (string | null)[]): boolean {
  if (elements.length > LARGE.elements) return true;
  return elements.reduce((sum, element) => sum + (element?.length ?? 0), 0) > LARGE.characters;
}

/**
 * Returns a text array in PostgreSQL's notation. The driver could do this as well, but a hundred thousand elements at once, or many
 * megabytes, take it hundreds of milliseconds.
 */
function* textArraySliced(elements: readonly (string | null)[]): SlicedWork<string> {
  const pieces: string[] = [];
  let piece: string[] = [];
  let characters = 0;
  for (const element of elements) {
    const text = elementText(element);
    piece.push(text);
    characters += text.length;
    if (piece.length < PIECE.elements && characters < PIECE.characters) continue;
    pieces.push(piece.join(','));
    [piece, characters] = [[], 0];
    yield;
  }
  if (piece.length > 0) pieces.push(piece.join(','));
  return `{${pieces.join(',')}}`;
}

function elementText(element: string | null): string {
  return element === null ? 'NULL' : `"${element.replace(SPECIAL, '\\$&')}"`;
}
