import { Problem } from '../errors/problem.js';
import type { Query } from '../http/query.js';

export const FITS = ['cover', 'contain', 'inside', 'outside'] as const;
export const FORMATS = ['webp', 'avif', 'jpeg', 'png'] as const;

/** The widths and heights that variants have. What is asked for is rounded up, so that few variants serve many queries. */
export const SIDES = [
  16, 32, 48, 64, 96, 128, 160, 240, 320, 480, 640, 800, 960, 1_280, 1_600, 1_920, 2_560, 3_840,
] as const;
export const MAX_SIDE = 3_840;
const MAX_VARIANT_PIXELS = MAX_SIDE * MAX_SIDE;

export type Fit = (typeof FITS)[number];
export type Format = (typeof FORMATS)[number];

/** The picture that a query asks for, as far as it says. */
export interface VariantQuery {
  w?: number;
  h?: number;
  fit?: Fit;
  format?: Format;
}

/** Another picture of an image: in a size of the ladder, in the shape and in the format that was asked for. */
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
  mimeType: string;
  width: number | null;
  height: number | null;
}

/** Images that variants are made of. No SVG: it has no pixels, and drawing one can be made to take minutes. */
const SOURCES = ['image/png', 'image/apng', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/tiff'];

/** Undefined when the query asks for no variant; 400 when it can't be read. */
export function readVariantQuery(query: Query): VariantQuery | undefined {
  const asked = {
    w: readSide(query, 'w'),
    h: readSide(query, 'h'),
    fit: readChoice(query, 'fit', FITS),
    format: readChoice(query, 'format', FORMATS),
  };
  return Object.values(asked).some((value) => value !== undefined) ? asked : undefined;
}

/** With the sides of the ladder. */
export function roundedUp({ w, h, ...rest }: VariantQuery): VariantQuery {
  return { w: w && sideOf(w), h: h && sideOf(h), ...rest };
}

/** The query as text, in one order; what is not asked for is left out. */
export function formatVariantQuery({ w, h, fit, format }: VariantQuery): string {
  return Object.entries({ w, h, fit, format })
    .flatMap(([name, value]) => (value === undefined ? [] : `${name}=${value}`))
    .join('&');
}

/** The variant that is asked for, undefined when that is the file itself. 400 for a file that has no variants, or not this one. */
export function variantOf(asked: VariantQuery, source: VariantSource): Variant | undefined {
  if (!SOURCES.includes(source.mimeType)) {
    throw Problem.parameter(firstName(asked), `Files of the type ${source.mimeType} do not have variants.`);
  }
  const width = limited(asked.w, source.width);
  const height = limited(asked.h, source.height);
  const { fit = 'cover', format = ownFormat(source.mimeType) } = asked;
  // Nothing is enlarged: what is asked for at least as large as the image is the image.
  const isWhole = (width ?? source.width) === source.width && (height ?? source.height) === source.height;
  if (isWhole && mimeTypeOf(format) === source.mimeType) return undefined;
  const parts = isWhole
    ? { fit: 'inside' as const, format }
    : // With one side only there is nothing to fit.
      { width, height, fit: width && height ? fit : ('inside' as const), format };
  if (parts.fit === 'outside') assertCovers(parts, source);
  return { name: nameOf(parts), ...parts };
}

export function mimeTypeOf(format: Format): string {
  return `image/${format}`;
}

function nameOf({ width, height, fit, format }: Omit<Variant, 'name'>): string {
  const sides = `${width ? `w${width}` : ''}${height ? `h${height}` : ''}` || 'full';
  return `${sides}${width && height ? `-${fit}` : ''}.${format}`;
}

/** What covers both sides may be far longer than one of them. */
function assertCovers({ width = 0, height = 0 }: Omit<Variant, 'name'>, source: VariantSource): void {
  const [fullWidth, fullHeight] = [source.width ?? width, source.height ?? height];
  const scale = Math.max(width / fullWidth, height / fullHeight);
  if (fullWidth * fullHeight * scale * scale <= MAX_VARIANT_PIXELS) return;
  throw Problem.parameter('fit', `The variant with fit=outside would have more than ${MAX_VARIANT_PIXELS} pixels.`);
}

/** Nothing is enlarged, so whatever is larger than the image is the image's own size. */
function limited(asked: number | undefined, own: number | null): number | undefined {
  const side = asked && sideOf(asked);
  return side !== undefined && own !== null && side > own ? own : side;
}

function sideOf(asked: number): number {
  return SIDES.find((side) => side >= asked) ?? MAX_SIDE;
}

function firstName(asked: VariantQuery): string {
  return Object.entries(asked).find(([, value]) => value !== undefined)?.[0] ?? 'w';
}

function readSide(query: Query, name: string): number | undefined {
  const text = query[name];
  if (text === undefined) return undefined;
  const side = typeof text === 'string' && /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (!(side >= 1 && side <= MAX_SIDE)) {
    throw Problem.parameter(name, `${name} must be an integer from 1 to ${MAX_SIDE}.`);
  }
  return side;
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
