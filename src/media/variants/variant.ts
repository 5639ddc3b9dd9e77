import { Problem } from '../../errors/problem.js';
import type { Query } from '../../http/query.js';
import { DECODED, HEIC } from '../pictures/image-types.js';

export const FITS = ['cover', 'contain', 'inside', 'outside'] as const;
export const FORMATS = ['webp', 'avif', 'jpeg', 'png'] as const;

/** The widths and heights that variants have. Requested sides are rounded up, so that few variants serve many queries. */
export const SIDES = [
  16, 32, 48, 64, 96, 128, 160, 240, 320, 480, 640, 800, 960, 1_280, 1_600, 1_920, 2_560, 3_840,
] as const;
export const MAX_SIDE = 3_840;
const MAX_VARIANT_PIXELS = MAX_SIDE * MAX_SIDE;

type Fit = (typeof FITS)[number];
export type Format = (typeof FORMATS)[number];

/** The parameters of a variant that a query contains. */
export interface VariantQuery {
  w?: number;
  h?: number;
  fit?: Fit;
  format?: Format;
}

/** A variant of an image, with sides from `SIDES` and with the requested fit and format. */
export interface Variant {
  /** The same for queries that describe the same variant. Usable as part of a key. */
  name: string;
  width?: number;
  height?: number;
  fit: Fit;
  format: Format;
}

/** The image that a variant is made from. */
interface VariantSource {
  mimeType: string;
  width: number | null;
  height: number | null;
}

/** Returns undefined if the query describes no variant. Throws a 400 if it is invalid. */
export function readVariantQuery(query: Query): VariantQuery | undefined {
  const asked = {
    w: readSide(query, 'w'),
    h: readSide(query, 'h'),
    fit: readChoice(query, 'fit', FITS),
    format: readChoice(query, 'format', FORMATS),
  };
  return Object.values(asked).some((value) => value !== undefined) ? asked : undefined;
}

/** Rounds the sides up to the next of `SIDES`. */
export function roundedUp({ w, h, ...rest }: VariantQuery): VariantQuery {
  return { w: w && sideOf(w), h: h && sideOf(h), ...rest };
}

/** Returns the query as text in a fixed order, without undefined parameters. */
export function formatVariantQuery({ w, h, fit, format }: VariantQuery): string {
  return Object.entries({ w, h, fit, format })
    .flatMap(([name, value]) => (value === undefined ? [] : `${name}=${value}`))
    .join('&');
}

/**
 * Returns the requested variant, also one of the image's own size and format: it is drawn like every other, so that none has the metadata of
 * the file. Throws a 400 if the file cannot have variants, or not this one.
 */
export function variantOf(asked: VariantQuery, source: VariantSource): Variant {
  if (!DECODED.includes(source.mimeType)) {
    const message = `Files of the type ${source.mimeType} have no variants. ${hintFor(source.mimeType)}`;
    throw Problem.parameter(firstName(asked), message);
  }
  const width = limited(asked.w, source.width);
  const height = limited(asked.h, source.height);
  const { fit = 'cover', format = ownFormat(source.mimeType) } = asked;
  // Images are never enlarged, so sides that are at least as large as the image mean its own size.
  const isWhole = (width ?? source.width) === source.width && (height ?? source.height) === source.height;
  const parts = isWhole
    ? { fit: 'inside' as const, format }
    : // With one side there is nothing to fit.
      { width, height, fit: width && height ? fit : ('inside' as const), format };
  if (parts.fit === 'outside') assertCovers(parts, source);
  return { name: nameOf(parts), ...parts };
}

/** Returns the widths of the variants that pages choose from (`srcset`), least first; none if the file has no variants. */
export function offeredWidths({ mimeType, width }: VariantSource): number[] {
  if (!DECODED.includes(mimeType) || width === null) return [];
  return SIDES.filter((side) => side >= LEAST_OFFERED && side < width);
}

/** Smaller variants are icons, which are asked for by their size. */
const LEAST_OFFERED = 160;

/** SVG has no variants, because it has no pixels, and a file can be made that takes minutes to draw. */
function hintFor(mimeType: string): string {
  return HEIC.includes(mimeType)
    ? 'The service cannot decode them. Convert the image before you upload it, for example to JPEG.'
    : `Only ${DECODED.join(', ')} have variants.`;
}

export function mimeTypeOf(format: Format): string {
  return `image/${format}`;
}

function nameOf({ width, height, fit, format }: Omit<Variant, 'name'>): string {
  const sides = `${width ? `w${width}` : ''}${height ? `h${height}` : ''}` || 'full';
  return `${sides}${width && height ? `-${fit}` : ''}.${format}`;
}

/** Throws a 400 if a variant that covers both sides would be too large, because one side can become far longer than requested. */
function assertCovers({ width = 0, height = 0 }: Omit<Variant, 'name'>, source: VariantSource): void {
  const [fullWidth, fullHeight] = [source.width ?? width, source.height ?? height];
  const scale = Math.max(width / fullWidth, height / fullHeight);
  if (fullWidth * fullHeight * scale * scale <= MAX_VARIANT_PIXELS) return;
  throw Problem.parameter('fit', `The variant with fit=outside would have more than ${MAX_VARIANT_PIXELS} pixels.`);
}

/** Rounds a side up, but at most to the image's own side, because images are never enlarged. */
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
