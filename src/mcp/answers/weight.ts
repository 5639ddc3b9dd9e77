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
  let [low, high] = [0, Math.min(text.length, maxWeight)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (weightOf(wholeCharacters(text.slice(0, middle))) <= maxWeight) low = middle;
    else high = middle - 1;
  }
  return wholeCharacters(text.slice(0, low));
}

/** Leaves out the first half of a surrogate pair at the end. */
function wholeCharacters(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;
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
