import type { SlicedWork } from '../admission/sliced-work.js';
import { endOfString } from './end-of-string.js';
import { isExactNumber } from './exact-number.js';
import { parseSliced } from './parse-sliced.js';

/** A number with an exponent, or with more digits than every double keeps. Strings may contain what looks like one. */
const DOUBTFUL = /(?:^|[[:,\s])-?(?:\d[\d.]{15}|[\d.]+[eE])/;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** Is read as a number that is not finite, which no JSON can be otherwise. */
const OUT_OF_RANGE = '1e999';
/** Characters that one step reads, in about a millisecond. */
const PIECE = 65_536;

const QUOTE = 0x22;
const MINUS = 0x2d;

/**
 * Parses JSON that a client sent, in steps, like `parseSliced`. A number that would become another one is not finite in the result, so that
 * the check of the values reports it at its place.
 */
export function* parseSent(text: string): SlicedWork<unknown> {
  return yield* parseSliced(DOUBTFUL.test(text) ? yield* withoutInexact(text) : text);
}

/** Returns the text with a number that is out of range for each one that would become another. What is not JSON stays so. */
function* withoutInexact(text: string): SlicedWork<string> {
  let kept = '';
  let from = 0;
  let next = PIECE;
  for (let at = 0; at < text.length; at++) {
    if (at >= next) {
      next = at + PIECE;
      yield;
    }
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
      if (at === -1) break;
    } else if (code === MINUS || isDigit(code)) {
      NUMBER.lastIndex = at;
      const [number] = NUMBER.exec(text) ?? [];
      if (number === undefined) continue;
      if (!isExactNumber(number)) {
        kept += text.slice(from, at) + OUT_OF_RANGE;
        from = at + number.length;
      }
      at += number.length - 1;
    }
  }
  return kept + text.slice(from);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
