import { Parser } from 'htmlparser2';
import type { Dimensions } from './picture-task.js';

/** Pixels per absolute unit, as in CSS: an inch has 96. All other units are relative, and the text of the SVG does not tell to what. */
const PIXELS: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  q: 96 / 101.6,
  pt: 96 / 72,
  pc: 96 / 6,
};
const LENGTH = /^([+-]?(?:\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})(?:e[+-]?\d{1,3})?)([a-z]{0,2})$/i;
/** Longer attributes are not numbers. */
const MAX_ATTRIBUTE = 200;
/** Maximum value of the database columns. */
const MAX_SIDE = 2_147_483_647;

/**
 * Returns width and height of an SVG in pixels, from the attributes of its root element. `text` may be only the beginning of the file. Does
 * not render the SVG, because a few kilobytes can take minutes. Returns undefined if the attributes are not sufficient.
 */
export function svgDimensions(text: string): Dimensions | undefined {
  const { width: ownWidth, height: ownHeight, viewBox } = rootAttributes(text);
  const [width, height, box] = [readLength(ownWidth), readLength(ownHeight), readViewBox(viewBox)];
  if (width && height) return rounded(width, height);
  if (!box) return undefined;
  if (width) return rounded(width, (width * box.height) / box.width);
  if (height) return rounded((height * box.width) / box.height, height);
  return rounded(box.width, box.height);
}

/** Returns the attributes of the first element if it is an `svg`. Parsing ends with its start tag. */
function rootAttributes(text: string): Record<string, string> {
  let attributes: Record<string, string> = {};
  const parser = new Parser(
    {
      onopentag(name, found) {
        if (/^(?:.*:)?svg$/.test(name)) attributes = found;
        parser.pause();
      },
    },
    { xmlMode: true },
  );
  parser.write(text);
  return attributes;
}

/** Returns undefined for a relative length (`100%`, `2em`), and for text that is not a positive length. */
function readLength(text = ''): number | undefined {
  if (text.length > MAX_ATTRIBUTE) return undefined;
  const [, number = '', unit = ''] = LENGTH.exec(text.trim()) ?? [];
  const pixels = Number(number) * (PIXELS[unit.toLowerCase()] ?? 0);
  return pixels >= 0.5 ? pixels : undefined;
}

function readViewBox(text = ''): Dimensions | undefined {
  if (text.length > MAX_ATTRIBUTE) return undefined;
  const numbers = text
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const [, , width = 0, height = 0] = numbers;
  return numbers.length === 4 && width > 0 && height > 0 ? { width, height } : undefined;
}

function rounded(width: number, height: number): Dimensions | undefined {
  const sides = { width: Math.round(width), height: Math.round(height) };
  const fit = [sides.width, sides.height].every((side) => side >= 1 && side <= MAX_SIDE);
  return fit ? sides : undefined;
}
