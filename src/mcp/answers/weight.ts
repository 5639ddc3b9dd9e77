/** The most bytes of an answer: of its text and its structured content together. */
export const MAX_ANSWER_BYTES = 64 * 1024;

/**
 * The bytes that a value takes in an answer, which has it twice: as structured content, and as JSON in a text, whose quotation marks and backslashes are
 * escaped once more.
 */
export function weightOf(value: unknown): number {
  return weightOfJson(JSON.stringify(value));
}

export function weightOfJson(json: string): number {
  return Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json)) - 2;
}

/** Returns the beginning of a text that weighs at most this much, and does not end within a character. */
export function beginningOf(text: string, maxWeight: number): string {
  let rest = maxWeight - WEIGHT_OF_QUOTES;
  let end = 0;
  while (end < text.length) {
    const code = text.codePointAt(end) ?? 0;
    rest -= weightOfCharacter(code);
    if (rest < 0) break;
    end += code > 0xffff ? 2 : 1;
  }
  return text.slice(0, end);
}

/** The quotation marks around a text: two bytes, and four as they are escaped. */
const WEIGHT_OF_QUOTES = 6;
/** Control characters that JSON escapes with one letter. */
const SHORT_ESCAPES: ReadonlySet<number> = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d]);

/** The bytes of a character in JSON, and of the same in a text in JSON. */
function weightOfCharacter(code: number): number {
  // A quotation mark or a backslash: two bytes, of which each is escaped once more.
  if (code === 0x22 || code === 0x5c) return 2 + 4;
  if (code < 0x20) return SHORT_ESCAPES.has(code) ? 2 + 3 : 6 + 7;
  if (code < 0x80) return 2 * 1;
  if (code < 0x8_00) return 2 * 2;
  // Half of a surrogate pair is written as an escape.
  if (code >= 0xd8_00 && code <= 0xdf_ff) return 6 + 7;
  return code > 0xff_ff ? 2 * 4 : 2 * 3;
}

/**
 * Returns the weight to which the heaviest of these must be cut so that all of them together weigh at most `maximum`; Infinity if nothing must
 * be cut.
 */
export function levelOf(weights: readonly number[], maximum: number): number {
  const ascending = [...weights].sort((a, b) => a - b);
  let rest = maximum;
  for (const [index, weight] of ascending.entries()) {
    const level = rest / (ascending.length - index);
    if (weight > level) return Math.max(0, Math.floor(level));
    rest -= weight;
  }
  return Infinity;
}
