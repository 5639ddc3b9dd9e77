import { Problem } from '../errors/problem.js';
import type { Query } from '../http/query.js';

export const FITS = ['cover', 'contain', 'inside', 'outside'] as const;
export const FORMATS = ['webp', 'avif', 'jpeg', 'png'] as const;
export const MAX_SIDE = 3_840;

export type Fit = (typeof FITS)[number];
export type Format = (typeof FORMATS)[number];

/** Another picture of an image: as large, in the shape and in the format that was asked for. */
export interface Variant {
  /** The same for queries that come to the same picture; fit for a key. */
  name: string;
  width?: number;
  height?: number;
  fit: Fit;
  format: Format;
}

/** The image that variants are made of. */
export interface VariantSource {
  mime_type: string;
  width: number | null;
  height: number | null;
}

/** Images that variants are made of. No SVG: it has no pixels, and drawing one can be made to take forever. */
const SOURCES = ['image/png', 'image/apng', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/tiff'];

/** Widths that every image may have in every format, so that nobody can use the places of the others up for a site. */
const USUAL_WIDTHS = [160, 320, 480, 640, 800, 960, 1_280, 1_600, 1_920, 2_560];

/** Names of the variants that don't count towards a file's limit. */
export const USUAL_VARIANTS: readonly string[] = FORMATS.flatMap((format) =>
  [undefined, ...USUAL_WIDTHS].map((width) => nameOf({ width, fit: 'inside', format })),
);

/** The variant that a query asks for, undefined when that is the file itself; 400 when it can't be read. */
export function readVariant(query: Query, source: VariantSource): Variant | undefined {
  const [first] = Object.keys(query);
  if (first === undefined) return undefined;
  if (!SOURCES.includes(source.mime_type)) {
    throw Problem.parameter(first, `There are no variants of ${source.mime_type}.`);
  }
  const width = readSide(query, 'w', source.width);
  const height = readSide(query, 'h', source.height);
  const fit = readChoice(query, 'fit', FITS) ?? 'cover';
  const format = readChoice(query, 'format', FORMATS) ?? ownFormat(source.mime_type);
  // Nothing is enlarged: what is asked for at least as large as the image is the image.
  const isWhole = (width ?? source.width) === source.width && (height ?? source.height) === source.height;
  if (isWhole && mimeTypeOf(format) === source.mime_type) return undefined;
  const parts = isWhole
    ? { fit: 'inside' as const, format }
    : // With one side only there is nothing to fit.
      { width, height, fit: width && height ? fit : ('inside' as const), format };
  return { name: nameOf(parts), ...parts };
}

export function mimeTypeOf(format: Format): string {
  return `image/${format}`;
}

function nameOf({ width, height, fit, format }: Omit<Variant, 'name'>): string {
  const sides = `${width ? `w${width}` : ''}${height ? `h${height}` : ''}` || 'full';
  return `${sides}${width && height ? `-${fit}` : ''}.${format}`;
}

/** Nothing is enlarged, so whatever is larger than the image is the image's own size. */
function readSide(query: Query, name: string, own: number | null): number | undefined {
  const text = query[name];
  if (text === undefined) return undefined;
  const side = typeof text === 'string' && /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (!(side >= 1 && side <= MAX_SIDE)) {
    throw Problem.parameter(name, `${name} must be an integer from 1 to ${MAX_SIDE}.`);
  }
  return own !== null && side > own ? own : side;
}

function readChoice<Choice extends string>(query: Query, name: string, choices: readonly Choice[]): Choice | undefined {
  const text = query[name];
  if (text === undefined) return undefined;
  const choice = choices.find((one) => one === text);
  if (!choice) throw Problem.parameter(name, `${name} must be one of ${choices.join(', ')}.`);
  return choice;
}

function ownFormat(mimeType: string): Format {
  return FORMATS.find((format) => mimeTypeOf(format) === mimeType) ?? 'png';
}
