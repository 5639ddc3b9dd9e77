/**
 * Characters that nobody sees: white space, control characters, and those that fonts show as nothing (zero-width, direction marks, byte
 * order mark, soft hyphen, Hangul fillers, variation selectors, tags), which Unicode calls default ignorable, and three that it does not.
 */
export const UNSEEN = String.raw`\s\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb`;
const BLANK = new RegExp(`^[${UNSEEN}]*$`, 'u');

/**
 * Those of them that mean nothing at the end of a text. Joiners, variation selectors and tags do: `❤️` and `🏴󠁧󠁢󠁥󠁮󠁧󠁿` end with them, and Persian
 * words may. Nor are direction embeddings and isolates taken from the text that they enclose.
 */
const TRIMMED = String.raw`\s\p{Z}\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2060-\u2064\u2800\u3164\uffa0\ufeff\ufff9-\ufffb`;
const START = new RegExp(`^[${TRIMMED}]+`, 'u');
const LAST = new RegExp(`[${TRIMMED}]`, 'u');

/** Whether a text has nothing that can be seen. */
export function isBlank(text: string): boolean {
  return BLANK.test(text);
}

/** Returns the text without what cannot be seen at its ends; an empty text if it is blank. */
export function trimBlanks(text: string): string {
  if (isBlank(text)) return '';
  let end = text.length;
  // A pattern would look for the end of each run of blanks within the text.
  while (LAST.test(text.charAt(end - 1))) end--;
  return text.slice(0, end).replace(START, '');
}
